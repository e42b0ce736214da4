import { ApplicationFailure } from '@temporalio/workflow';
import type { AcceptedDeployment, ExpectedAnswer } from '../../activities/contracts';
import type { Contract } from '../../src/custody/objects/contract';
import type { LiveOrder } from '../order/liveOrder';
import { readSurely } from '../order/read';
import { finished, show } from '../order/show';
import { continueWhenLong, pause, standStill } from '../order/wait';
import { settleDelayMs } from '../write/delays';
import { once } from '../write/happened';

export type Deployed = {
  doing: string;
  accepted: AcceptedDeployment;
  /** Answers that the code at its address must give. */
  answers: ExpectedAnswer[];
};

/**
 * Reads a contract until the service calls it complete and its code answers as ordered. Only then
 * may its address be trusted. Throws Failed if the deployment failed. A contract with other answers
 * is shown to an operator, and no later step uses it.
 */
export async function contract(live: LiveOrder, deployed: Deployed): Promise<{ address: string }> {
  const { accepted, doing, answers } = deployed;
  const { contractId } = accepted;
  return once(live, `contract ${contractId}`, async () => {
    const sinceMs = Date.now();
    for (let poll = 1; ; poll++) {
      const record = await readSurely(live, `${doing}: the contract`, (from) =>
        from.getContract({ id: contractId, answers }),
      );
      if (record.status === 'FAILED') throw failed(doing, record);
      const { contractAddress: address, silence = [], faults = [] } = record;
      const isComplete = record.status === 'COMPLETE' && address !== undefined;
      if (isComplete && silence.length + faults.length === 0) {
        finished(live, `${doing}: contract ${address}`);
        return { address };
      }
      // A node that is behind shows no code yet, but no wrong answer either.
      const isPatient = Date.now() - sinceMs < live.opened.lookupGraceMs;
      if (!isComplete || (faults.length === 0 && isPatient)) {
        const now = [record.status, ...silence].join('; ');
        show(live, 'Settling', `contract ${contractId}, now ${now}`);
        await pause(live, settleDelayMs(poll), `${doing}: until the contract is complete`);
      } else {
        const message =
          `Contract ${address} is not what was ordered: ${[...faults, ...silence].join('; ')}. ` +
          'The order does not use it. Find out what is at that address.';
        const facts = { ambiguous: true };
        await standStill(live, { type: 'NeedsOperator', message, facts }, poll);
      }
      await continueWhenLong(live);
    }
  });
}

function failed(doing: string, record: Contract): ApplicationFailure {
  const reason = record.deploymentErrorReason ?? 'no reason given';
  return ApplicationFailure.create({
    message: `The ${doing} ended as FAILED: ${reason}.`,
    type: 'Failed',
    nonRetryable: true,
    details: [{ record }],
  });
}
