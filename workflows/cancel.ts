import { CancelledFailure } from '@temporalio/workflow';
import type { Tries } from '../activities/attempt';
import { isDoubtful, type Run } from './run';
import { asked } from './show';

/** Notes that the order is to be cancelled, and why. It is heard wherever the order waits. */
export function askToCancel(run: Run, reason: string): void {
  asked(run, `to be cancelled: ${reason}`);
  run.carried.cancelAsked = true;
  run.woken = true;
}

/**
 * Stops an order that is to be cancelled, as long as nothing may be under way. A cancellation that
 * came too late for one write comes in time for what would follow.
 */
export function stopWhenAsked(run: Run): void {
  if (run.carried.cancelAsked && !mayHaveSent(run)) throw cancelled();
}

/** How an order ends that was cancelled; the record proves that its write had no effect. */
export function cancelled(proof: object = {}): CancelledFailure {
  return new CancelledFailure('The order was cancelled.', [proof]);
}

/**
 * Whether something may be under way that cannot be stopped. That is so, too, while the guard has
 * not yet told what earlier runs of the order have done.
 */
export function mayHaveSent(run: Run): boolean {
  const { opened, writes } = run.carried;
  if (opened === undefined || isDoubtful(run) || opened.earlier.others === 'ambiguous') return true;
  const inThisRun = Object.values(writes).some(
    ({ identity, stage }) =>
      stage === 'accepted' || (stage === 'open' && identity.earlierTries === 'ambiguous'),
  );
  return inThisRun || Object.entries(opened.earlier.writes).some((entry) => unsettled(run, entry));
}

/** Whether a write of an earlier run may still be under way. */
function unsettled(run: Run, [target, tries]: [string, Tries]): boolean {
  const [path = '', generation] = target.split('#');
  const { order } = run.opened;
  // A generation above it is the decision that this one came to nothing.
  const isOver = Number(generation) < (order.generations[path] ?? 0);
  return tries === 'ambiguous' && !isOver && run.carried.writes[path]?.stage !== 'settled';
}
