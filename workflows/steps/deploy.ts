import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { AcceptedDeployment } from '../../activities/contracts';
import type { Contract } from '../../src/custody/contract';
import type { FeeLevel } from '../../src/custody/transaction';
import type { DeployReceipt } from '../../src/orders/deploy';
import { reads, stopOf, writes } from '../custody';
import { settleDelayMs } from '../delays';
import { finished, pause, type Run, show, standStill } from '../run';
import { settle } from '../settle';
import { continueWhenLong, once, write } from '../write';

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
  const accepted = await write(run, { step: 'deploy', item: '1', doing }, (identity) =>
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
  const contract = await contractComplete(run, { doing, accepted });
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

/** Reads the contract until the service calls it complete; its address may be trusted only then. */
async function contractComplete(run: Run, deployed: Deployed): Promise<{ address: string }> {
  const { accepted, doing } = deployed;
  return once(run, `contract ${accepted.contractId}`, () =>
    CancellationScope.nonCancellable(async () => {
      for (let look = 1; ; look++) {
        const contract = await readContract(run, deployed);
        const address = contract.contractAddress;
        if (contract.status === 'COMPLETE' && address !== undefined) {
          finished(run, `${doing}: contract ${address}`);
          return { address };
        }
        if (contract.status === 'FAILED') throw failed(run, doing, contract);
        show(run, 'Settling', `contract ${accepted.contractId}, now ${contract.status}`);
        await pause(run, settleDelayMs(look), `${doing}: until the contract is complete`);
        await continueWhenLong(run);
      }
    }),
  );
}

async function readContract(run: Run, { accepted, doing }: Deployed): Promise<Contract> {
  for (let look = 1; ; look++) {
    try {
      return await reads(`${doing}: the contract`).getContract({ id: accepted.contractId });
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      await standStill(run, { ...stop, type: 'NeedsOperator' }, look);
    }
  }
}

function failed(run: Run, doing: string, contract: Contract): ApplicationFailure {
  const reason = contract.deploymentErrorReason ?? 'no reason given';
  return ApplicationFailure.create({
    message: `The ${doing} ended as FAILED: ${reason}.`,
    type: 'Failed',
    nonRetryable: true,
    details: [{ record: contract, made: run.carried.made }],
  });
}
