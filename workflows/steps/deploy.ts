import { ApplicationFailure } from '@temporalio/workflow';
import type { AcceptedDeployment } from '../../activities/contracts';
import type { Contract } from '../../src/custody/contract';
import { templateIds } from '../../src/custody/template';
import type { FeeLevel } from '../../src/custody/transaction';
import type { DeployReceipt } from '../../src/orders/deploy';
import { writes } from '../custody';
import { settleDelayMs } from '../delays';
import { readSurely } from '../read';
import type { Run } from '../run';
import { settle, type Transacting } from '../settle';
import { finished, show } from '../show';
import { continueWhenLong, pause } from '../wait';
import { once, settled, write } from '../write';

export type Deployment = {
  wallet: { walletId: string; address: string };
  template: string;
  name: string;
  parameters: object;
  feeLevel: FeeLevel;
  /** The write that made the wallet, where this order has made it. */
  after?: string | undefined;
};

/**
 * Deploys a contract from a template, and returns its address once the service calls it complete.
 */
export async function deploy(run: Run, ordered: Deployment): Promise<DeployReceipt> {
  const { wallet } = ordered;
  const deploying = deployStep(run, ordered);
  const { doing } = deploying;
  const accepted = await write(run, deploying);
  finished(run, `${doing}: accepted as ${accepted.transactionId}`);
  const settlement = await settle(run, deploying, accepted);
  run.carried.made.deployTxHash = settlement.txHash;
  const contract = await contractComplete(run, { doing, accepted });
  settled(run, deploying);
  Object.assign(run.carried.made, {
    contractAddress: contract.address,
    deployTxHash: settlement.txHash,
  });
  return {
    ...settlement,
    contractId: accepted.contractId,
    contractAddress: contract.address,
    walletId: wallet.walletId,
  };
}

function deployStep(run: Run, ordered: Deployment): Transacting<AcceptedDeployment> {
  const { wallet, template, name, feeLevel, after } = ordered;
  const { blockchain } = run.opened;
  const doing = `deployment of "${name}"`;
  const { walletId, address } = wallet;
  return {
    step: 'deploy',
    item: '1',
    after,
    doing,
    send: (identity) =>
      writes(`request the ${doing}`).deployTemplate({
        ...identity,
        templateId: template,
        name,
        walletId,
        blockchain,
        templateParameters: { ...usualParameters(template, address), ...ordered.parameters },
        feeLevel,
      }),
    find: (service, search) =>
      service.findDeployment({ ...search, walletId, deployer: address, blockchain }),
    expected: { blockchain, walletId, sourceAddress: address },
    sender: address,
    effect: { kind: 'deployment', from: address },
  };
}

/** Who is not named in the parameters is the wallet that deploys. */
function usualParameters(template: string, address: string): Record<string, string> {
  const roles = { defaultAdmin: address, primarySaleRecipient: address };
  switch (template) {
    case templateIds.fungible:
      return roles;
    case templateIds.uniqueItem:
    case templateIds.multiToken:
      return { ...roles, royaltyRecipient: address, royaltyPercent: '0' };
    case templateIds.airdrop:
      return { defaultAdmin: address };
    default:
      // Nobody knows what another one takes.
      return {};
  }
}

type Deployed = { doing: string; accepted: AcceptedDeployment };

/** Reads the contract until it is complete; only then may its address be trusted. */
async function contractComplete(run: Run, deployed: Deployed): Promise<{ address: string }> {
  const { accepted, doing } = deployed;
  const { contractId } = accepted;
  return once(run, `contract ${contractId}`, async () => {
    for (let look = 1; ; look++) {
      const contract = await readSurely(run, `${doing}: the contract`, (from) =>
        from.getContract({ id: contractId }),
      );
      const address = contract.contractAddress;
      if (contract.status === 'COMPLETE' && address !== undefined) {
        finished(run, `${doing}: contract ${address}`);
        return { address };
      }
      if (contract.status === 'FAILED') throw failed(doing, contract);
      show(run, 'Settling', `contract ${contractId}, now ${contract.status}`);
      await pause(run, settleDelayMs(look), `${doing}: until the contract is complete`);
      await continueWhenLong(run);
    }
  });
}

function failed(doing: string, contract: Contract): ApplicationFailure {
  const reason = contract.deploymentErrorReason ?? 'no reason given';
  return ApplicationFailure.create({
    message: `The ${doing} ended as FAILED: ${reason}.`,
    type: 'Failed',
    nonRetryable: true,
    details: [{ record: contract }],
  });
}
