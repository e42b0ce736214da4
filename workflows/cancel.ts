import { CancelledFailure } from '@temporalio/workflow';
import type { Tries } from '../activities/attempt';
import type { Run } from './run';

/**
 * Whether something may be under way that cannot be stopped: then nothing is cancelled. That is so,
 * too, while the guard has not yet told what earlier runs of the order have done.
 */
export function mayHaveSent(run: Run): boolean {
  const { opened, writes, doubtful } = run.carried;
  if (run.sending || opened === undefined || doubtful) return true;
  const inThisRun = Object.values(writes).some(
    ({ identity, stage }) =>
      stage === 'accepted' || (stage === 'open' && identity.earlierTries === 'ambiguous'),
  );
  const unsettled = ([path, tries]: [string, Tries]): boolean =>
    tries === 'ambiguous' && writes[path]?.stage !== 'settled';
  const { earlier } = opened;
  return (
    inThisRun || earlier.others === 'ambiguous' || Object.entries(earlier.writes).some(unsettled)
  );
}

/** Cancels the order now, or as soon as it is known that nothing is under way. */
export function askToCancel(run: Run): void {
  run.carried.cancelAsked = true;
  if (!mayHaveSent(run)) run.scope.cancel();
}

/** A cancellation that came too late for one write comes in time for what would follow. */
export function stopWhenAsked(run: Run): void {
  if (!run.carried.cancelAsked || mayHaveSent(run)) return;
  throw new CancelledFailure('Cancelled before anything more was sent.');
}
