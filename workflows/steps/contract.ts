import { ApplicationFailure } from '@temporalio/workflow';
import type { AcceptedDeployment, ExpectedAnswer } from '../../activities/contracts';
import type { Contract } from '../../src/custody/contract';
import { settleDelayMs } from '../delays';
import { readSurely } from '../read';
import type { Run } from '../run';
import { finished, show } from '../show';
import { continueWhenLong, pause, standStill } from '../wait';
import { once } from '../write';

export type Deployed = {
  doing: string;
  accepted: AcceptedDeployment;
  /** What the code at its address must answer. */
  answers: ExpectedAnswer[];
};

/**
 * Reads a contract until the service calls it complete and the code at its address answers as
 * ordered; only then may its address be trusted. Throws Failed where it came to nothing. A contract
 * that answers otherwise is shown to an operator, and nothing is built upon it.
 */
export async function contract(run: Run, deployed: Deployed): Promise<{ address: string }> {
  const { accepted, doing, answers } = deployed;
  const { contractId } = accepted;
  return once(run, `contract ${contractId}`, async () => {
    const sinceMs = Date.now();
    for (let look = 1; ; look++) {
      const record = await readSurely(run, `${doing}: the contract`, (from) =>
        from.getContract({ id: contractId, answers }),
      );
      if (record.status === 'FAILED') throw failed(doing, record);
      const { contractAddress: address, silence = [], faults = [] } = record;
      const isComplete = record.status === 'COMPLETE' && address !== undefined;
      if (isComplete && silence.length + faults.length === 0) {
        finished(run, `${doing}: contract ${address}`);
        return { address };
      }
      // A node that is behind shows no code yet, but no wrong answer either.
      const isPatient = Date.now() - sinceMs < run.opened.lookupGraceMs;
      if (!isComplete || (faults.length === 0 && isPatient)) {
        show(
          run,
          'Settling',
          `contract ${contractId}, now ${[record.status, ...silence].join('; ')}`,
        );
        await pause(run, settleDelayMs(look), `${doing}: until the contract is complete`);
      } else {
        const message =
          `Contract ${address} is not what was ordered: ${[...faults, ...silence].join('; ')}. ` +
          'Nothing is built upon it. Find out what is at that address.';
        await standStill(run, { type: 'NeedsOperator', message, facts: { ambiguous: true } }, look);
      }
      await continueWhenLong(run);
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
