import { ApplicationFailure } from '@temporalio/workflow';
import type { AcceptedDeployment } from '../../activities/contracts';
import type { Contract } from '../../src/custody/contract';
import type { FeeLevel } from '../../src/custody/transaction';
import type { DeployReceipt } from '../../src/orders/deploy';
import { writes } from '../custody';
import { settleDelayMs } from '../delays';
import { readSurely } from '../read';
import type { Run } from '../run';
import { settle } from '../settle';
import { finished, show } from '../show';
import { continueWhenLong, pause } from '../wait';
import { once, settled, write } from '../write';

export type Deployment = {
  wallet: { walletId: string; address: string };
  template: string;
  name: string;
  parameters: object;
  feeLevel: FeeLevel;
};

/**
 * Deploys a contract from a template, and returns its address once the service calls it complete.
 */
export async function deploy(run: Run, ordered: Deployment): Promise<DeployReceipt> {
  const { wallet, template, name, feeLevel } = ordered;
  const { blockchain } = run.opened;
  const doing = `deployment of "${name}"`;
  const sending = { step: 'deploy', item: '1', doing };
  const accepted = await write(run, sending, (identity) =>
    writes(`request the ${doing}`).deployTemplate({
      ...identity,
      templateId: template,
      name,
      walletId: wallet.walletId,
      blockchain,
      // Who is not named in the parameters is the wallet that deploys.
      templateParameters: {
        defaultAdmin: wallet.address,
        primarySaleRecipient: wallet.address,
        ...ordered.parameters,
      },
      feeLevel,
    }),
  );
  finished(run, `${doing}: accepted as ${accepted.transactionId}`);
  const expected = { blockchain, walletId: wallet.walletId, sourceAddress: wallet.address };
  const settlement = await settle(run, { doing, accepted, expected });
  run.carried.made.deployTxHash = settlement.txHash;
  const contract = await contractComplete(run, { doing, accepted });
  settled(run, sending);
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
