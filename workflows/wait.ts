import {
  allHandlersFinished,
  condition,
  makeContinueAsNewFunc,
  workflowInfo,
} from '@temporalio/workflow';
import type { Stop } from './custody';
import { operatorDelayMs } from './delays';
import type { Carried, Run } from './run';
import { show } from './show';

/** Waits on a durable timer, or until a signal wakes the order. */
export async function pause(run: Run, delayMs: number, summary: string): Promise<void> {
  await condition(() => run.woken, delayMs, { summary });
  run.woken = false;
}

/** Shows what keeps the order from going on, and waits until it is worth another look. */
export async function standStill(run: Run, stop: Stop, look: number): Promise<void> {
  if (stop.type === 'Unknown') {
    show(run, 'Unknown', stop.message);
    await condition(() => run.woken);
    run.woken = false;
  } else {
    show(run, 'NeedsOperator', stop.message);
    await pause(run, operatorDelayMs(look), 'until it is mended');
  }
}

/** Hands the order on to a fresh run before its history grows too long; no step is done again. */
export async function continueWhenLong(run: Run): Promise<void> {
  const info = workflowInfo();
  if (!info.continueAsNewSuggested) return;
  await condition(allHandlersFinished);
  run.carried.progress = run.progress.done;
  // The memo is what a later run of this id is held against, so it must be there from the start.
  const memo = info.memo ?? {};
  const next = makeContinueAsNewFunc<(order: unknown, carried: Carried) => Promise<unknown>>;
  await next({ memo })(run.order, run.carried);
}
