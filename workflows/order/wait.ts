import {
  allHandlersFinished,
  condition,
  makeContinueAsNewFunc,
  workflowInfo,
} from '@temporalio/workflow';
import type { Progress } from '../../src/orders/progress/status';
import { operatorDelayMs, troubleDelayMs } from '../write/machine/delays';
import { type Doubt, noteReset } from '../write/reset';
import { isPassing, viewOfStop } from '../write/view';
import { refusal, type Stop } from './activities';
import type { Carried, LiveOrder } from './liveOrder';
import { noteStop, type Showable, showAll } from './show';

/** Well below the four megabytes at which Temporal suggests continuing as new. */
const historyBytesMax = 3_000_000;

/** The part of an order that can wait. */
type Waiting = Showable & { woken: boolean; carried: Doubt };

/** Waits on a durable timer, or until a signal wakes the order. */
export async function waitOrWake(live: Waiting, delayMs: number, summary: string): Promise<void> {
  await condition(() => live.woken, delayMs, { summary });
  noteReset(live);
  live.woken = false;
}

/** Ends every wait of an order, so that it looks at once. */
export function lookNow(live: LiveOrder): void {
  if (live.carried.opened !== undefined) live.writes.applyToAll({ kind: 'hurry' });
  Object.assign(live, { nextPollMs: 0, woken: true });
}

/**
 * Shows what blocks the order, and waits until a retry is worthwhile. A fault that passes on its
 * own is retried soon and leaves the status unchanged.
 */
export async function standStill(live: Waiting, stop: Stop, attempt: number): Promise<void> {
  const view = viewOfStop(stop, live.progress.status);
  noteStop(live, stop);
  showAll(live, view.status, view);
  const { afterMs = 0 } = stop.facts;
  const retryMs = Math.max(troubleDelayMs(attempt), afterMs);
  await waitOrWake(live, isPassing(stop) ? retryMs : operatorDelayMs(attempt), view.summary);
}

/** True if a history is long enough, in events or in bytes. */
export function isLong(): boolean {
  const { continueAsNewSuggested, historySize } = workflowInfo();
  return continueAsNewSuggested || historySize > historyBytesMax;
}

/** True for a run that Temporal repeats by itself, with the starter's own words. */
function isRepeated(): boolean {
  const { cronSchedule, retryPolicy } = workflowInfo();
  return Boolean(cronSchedule) || retryPolicy !== undefined;
}

/** Refuses a run that Temporal repeats. It could not tell its own state from a starter's words. */
export function refuseRepeated(): void {
  if (!isRepeated()) return;
  throw refusal(
    'An order runs once, and Temporal would repeat this one. Start it without a retry policy and ' +
      'without a cron schedule. Terminate a run of a cron schedule first.',
  );
}

/**
 * The state that an earlier run hands on. A starter who passes state would bypass the guard. Each
 * run that Temporal repeats follows another one as well, and is refused.
 */
export function handedOn<State>(given: State | undefined): State | undefined {
  if (given === undefined) return undefined;
  const isFirst = workflowInfo().continuedFromExecutionRunId === undefined;
  return isFirst || isRepeated() ? undefined : given;
}

/** An order, or a part of a payout, that continues as new. */
export type Lasting = {
  order: unknown;
  progress: Progress;
  carried: Pick<Carried, 'progress' | 'trouble'>;
  trouble?: Stop | undefined;
  isWeighing?: boolean;
  givesUp?: object | undefined;
  accelerating?: string | undefined;
};

/** Hands the order to a fresh run before its history grows too long. No step is done twice. */
export async function continueWhenLong(live: Lasting): Promise<void> {
  const info = workflowInfo();
  if (!isLong()) return;
  // The run that accepted an update must answer it.
  const isAsked = (): boolean =>
    live.isWeighing === true || (live.givesUp ?? live.accelerating) !== undefined;
  await condition(() => allHandlersFinished() || isAsked());
  if (isAsked()) return;
  live.carried.progress = live.progress.timeline;
  live.carried.trouble = live.trouble;
  // Later runs of this id are compared with the memo, so it must be there from the start.
  const memo = info.memo ?? {};
  const next = makeContinueAsNewFunc<(order: unknown, carried: object) => Promise<unknown>>;
  await next({ memo })(live.order, live.carried);
}
