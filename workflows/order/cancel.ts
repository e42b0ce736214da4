import { ApplicationFailure, CancelledFailure } from '@temporalio/workflow';
import type { Tries } from '../../activities/attempt';
import { mayBePending } from '../write/machine/writeState';
import { wasReset } from '../write/reset';
import type { Stop } from './activities';
import { type LiveOrder, wasAccepted } from './liveOrder';
import { noteRequest } from './show';
import { lookNow } from './wait';

/** Notes that the order is to be cancelled, and why. Each waiting point of the order sees it. */
export function askToCancel(live: LiveOrder, reason: string): void {
  noteRequest(live, `to be cancelled: ${reason}`);
  live.carried.cancelAsked = true;
  live.progress.cancelAsked = true;
  const { write, writes } = live;
  const isDisputed = write !== undefined && writes.stateOf(write).stage === 'disputed';
  if (isDisputed && !live.isWeighing)
    live.givesUp = { target: writes.targetOf(write), finding: 'skip', evidence: reason };
  lookNow(live);
}

/**
 * Stops an order that is to be cancelled, unless something may be pending. A cancellation that is
 * too late for one write may be in time for the next.
 */
export function stopWhenAsked(live: LiveOrder): void {
  if (live.carried.cancelAsked && !mayHaveSent(live)) throw cancellation();
}

/** The end of a cancelled order. The record proves that its write had no effect. */
export function cancellation(proof: object = {}): CancelledFailure {
  return new CancelledFailure('The order was cancelled.', [proof]);
}

/** The end of an order that was cancelled before it could be opened. This run has sent nothing. */
export function unopened({ message, facts }: Stop): Error {
  if (facts.sentBefore === false) return cancellation();
  return ApplicationFailure.nonRetryable(
    'The order was given up before it could be compared with its earlier runs, which may have sent ' +
      `something. This run has sent nothing. Start the same order again to find out. ${message}`,
    'Failed',
  );
}

/**
 * True if something may be pending that cannot be stopped. Also true until the guard has told what
 * earlier runs of the order did.
 */
export function mayHaveSent(live: LiveOrder): boolean {
  const { opened, writes, over } = live.carried;
  if (opened === undefined || wasReset(live) || opened.earlier.others === 'ambiguous') return true;
  if (isListed(live) || hasForgottenRun(live)) return true;
  const inThisRun = Object.entries(writes).some(
    ([path, state]) => !over.includes(path) && (wasAccepted(state) || mayBePending(state)),
  );
  return inThisRun || Object.entries(opened.earlier.writes).some((entry) => unsettled(live, entry));
}

/** True if the guard has seen the first write in the list, and the order has not heard of it yet. */
function isListed({ opened, carried }: LiveOrder): boolean {
  const { traces = [] } = opened.firstLook?.found ?? {};
  return traces.length > 0 && carried.hasLooked !== true;
}

/** True if a write was found that no known run has sent. The same run may have sent others. */
function hasForgottenRun({ opened, carried }: LiveOrder): boolean {
  const isUnknown = opened.earlier.ranSinceMs === undefined;
  return isUnknown && Object.values(carried.writes).some(({ isFound }) => isFound === true);
}

/** True if a write of an earlier run may still be pending. */
function unsettled(live: LiveOrder, [target, tries]: [string, Tries]): boolean {
  const [path = '', generation] = target.split('#');
  const { order } = live.opened;
  // A higher generation is the decision that this one had no effect.
  const isOver = Number(generation) < (order.generations[path] ?? 0);
  return tries === 'ambiguous' && !isOver && !live.carried.over.includes(path);
}
