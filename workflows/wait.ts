import {
  allHandlersFinished,
  condition,
  makeContinueAsNewFunc,
  workflowInfo,
} from '@temporalio/workflow';
import type { Stop } from './custody';
import { operatorDelayMs, troubleDelayMs } from './delays';
import { type Carried, isDoubtful, type Run } from './run';
import { show, stumbled } from './show';

/** Well below the four megabytes from which on Temporal suggests it. */
const historyBytesMax = 3_000_000;

/** Waits on a durable timer, or until a signal wakes the order. */
export async function pause(run: Run, delayMs: number, summary: string): Promise<void> {
  await condition(() => run.woken, delayMs, { summary });
  run.woken = false;
}

/**
 * Shows what keeps the order from going on, and waits until it is worth another try. What passes by
 * itself is tried again soon, and leaves the status as it is.
 */
export async function standStill(run: Run, stop: Stop, look: number): Promise<void> {
  stumbled(run, stop.message);
  if (stop.type === 'Again') {
    const delayMs = Math.max(troubleDelayMs(look), stop.facts.afterMs ?? 0);
    show(run, run.progress.status, `${stop.message}. It is tried again by itself`);
    await pause(run, delayMs, 'until it is tried again');
  } else {
    show(run, 'NeedsOperator', stop.message);
    await pause(run, operatorDelayMs(look), 'until it is mended');
  }
}

/** Whether a history has grown as long as it should: in events, or in bytes. */
export function isLong(): boolean {
  const { continueAsNewSuggested, historySize } = workflowInfo();
  return continueAsNewSuggested || historySize > historyBytesMax;
}

/** Hands the order on to a fresh run before its history grows too long; no step is done again. */
export async function continueWhenLong(run: Run): Promise<void> {
  const info = workflowInfo();
  if (!isLong()) return;
  // Who asked for something is answered by this very run.
  const isAsked = (): boolean => (run.asked ?? run.settling?.hurry) !== undefined;
  await condition(() => allHandlersFinished() || isAsked());
  if (isAsked()) return;
  run.carried.progress = run.progress.timeline;
  // What this run does not remember, the next one does not either.
  run.carried.doubtful = isDoubtful(run);
  // The memo is what a later run of this id is held against, so it must be there from the start.
  const memo = info.memo ?? {};
  const next = makeContinueAsNewFunc<(order: unknown, carried: Carried) => Promise<unknown>>;
  await next({ memo })(run.order, run.carried);
}
