import { ApplicationFailure } from '@temporalio/workflow';
import type { AcceptedDeployment, ExpectedAnswer } from '../../activities/contracts';
import type { Contract } from '../../src/custody/objects/contract';
import { longReads, reads } from '../order/activities';
import type { LiveOrder } from '../order/liveOrder';
import { readOrWait } from '../order/read';
import { noteDone, show } from '../order/show';
import { continueWhenLong, standStill, waitOrWake } from '../order/wait';
import { settleDelayMs } from '../write/machine/delays';
import { once } from '../write/once';
import type { Step } from '../write/step';

export type Deployed = {
  doing: string;
  contractId: string;
  /** Answers that the code at its address must give. */
  answers: ExpectedAnswer[];
};

/**
 * The contract of a deployment that has settled. Where the deployment was found in the list, the
 * contract may show later, and the order waits for it. Throws Failed if it is cancelled meanwhile.
 */
export async function contractIdOf(
  live: LiveOrder,
  step: Step<AcceptedDeployment>,
  { contractId, transactionId: named }: AcceptedDeployment,
): Promise<string> {
  if (contractId !== '') return contractId;
  const { parts } = live.writes.identityOf(step);
  return once(live, `contract of ${named}`, async () => {
    const sinceMs = Date.now();
    for (let poll = 1; ; poll++) {
      const found = await readOrWait(live, () =>
        step.find(longReads(`${step.doing}: which contract`), { parts, named }),
      );
      const listed = found?.traces.find(({ accepted }) => accepted.contractId !== '');
      if (listed !== undefined) return listed.accepted.contractId;
      if (live.carried.cancelAsked) throw leftAlone(step.doing, `of transaction ${named}`);
      if (Date.now() - sinceMs < live.opened.lookupGraceMs) {
        show(live, 'Settling', `the contract of transaction ${named}, which is not listed yet`);
        await waitOrWake(live, settleDelayMs(poll), `${step.doing}: until it is listed`);
      } else {
        const message = `The contract of transaction ${named} is not listed yet. Ask the service.`;
        const facts = { ambiguous: true };
        await standStill(live, { type: 'NeedsOperator', message, facts }, poll);
      }
      await continueWhenLong(live);
    }
  });
}

/**
 * Reads a contract until the service calls it complete and its code answers as ordered. Only then
 * may its address be trusted. Its transaction has settled. So a contract that the service calls
 * failed, or that answers otherwise, is shown to an operator. No later step uses it. Throws Failed
 * if the order is cancelled meanwhile.
 */
export async function contract(live: LiveOrder, deployed: Deployed): Promise<{ address: string }> {
  const { contractId, doing, answers } = deployed;
  return once(live, `contract ${contractId}`, async () => {
    const sinceMs = Date.now();
    for (let poll = 1; ; poll++) {
      const record = await readOrWait(live, () =>
        reads(`${doing}: the contract`).getContract({ id: contractId, answers }),
      );
      if (record === undefined) {
        if (live.carried.cancelAsked) throw leftAlone(doing, contractId);
        if (live.trouble !== undefined) await standStill(live, live.trouble, poll);
        await continueWhenLong(live);
        continue;
      }
      const { contractAddress: address, silence = [], faults = [] } = record;
      const isComplete = record.status === 'COMPLETE' && address !== undefined;
      if (isComplete && silence.length + faults.length === 0) {
        noteDone(live, `${doing}: contract ${address}`);
        return { address };
      }
      // A node that is behind shows no code yet, but no wrong answer either.
      const isPatient = Date.now() - sinceMs < live.opened.lookupGraceMs;
      const isFailed = record.status === 'FAILED';
      if (live.carried.cancelAsked) throw leftAlone(doing, record.id, [{ record }]);
      if (!isFailed && isPatient && (!isComplete || faults.length === 0)) {
        const now = [record.status, ...silence].join('; ');
        show(live, 'Settling', `contract ${contractId}, now ${now}`);
        await waitOrWake(live, settleDelayMs(poll), `${doing}: until the contract is complete`);
      } else {
        const message = `${faultOf(record)} The order does not use it. Find out what is there.`;
        const facts = { ambiguous: true };
        await standStill(live, { type: 'NeedsOperator', message, facts }, poll);
      }
      await continueWhenLong(live);
    }
  });
}

type Read = Contract & Partial<Record<'silence' | 'faults', string[]>>;

/** The reason why a contract cannot be used, as a sentence. */
function faultOf({ id, status, deploymentErrorReason, ...read }: Read): string {
  const { contractAddress: address, silence = [], faults = [] } = read;
  const late = 'though its transaction is complete.';
  if (status === 'FAILED') {
    const reason = deploymentErrorReason ?? 'no reason given';
    return `The service calls contract ${id} FAILED (${reason}), ${late}`;
  }
  if (status === 'COMPLETE' && address !== undefined)
    return `Contract ${address} is not what was ordered: ${[...faults, ...silence].join('; ')}.`;
  const where = address === undefined ? ' and names no address' : '';
  return `The service calls contract ${id} ${status}${where}, ${late}`;
}

/** The end of a cancelled order whose contract is there, and may not be used. */
function leftAlone(doing: string, which: string, details: object[] = []): ApplicationFailure {
  return ApplicationFailure.create({
    message:
      `The ${doing} has settled. The order was cancelled before its contract ${which} could be ` +
      'used.',
    type: 'Failed',
    nonRetryable: true,
    details,
  });
}
