import { condition } from '@temporalio/workflow';
import type { Run } from './run';
import { asked, show } from './show';

/** Notes that nothing more is to be sent until the order is resumed. */
export function pauseOrder(run: Run, reason: string): void {
  run.carried.paused = { reason, since: new Date().toISOString() };
  run.progress.paused = run.carried.paused;
  asked(run, `paused: ${reason}`);
  show(run, run.progress.status, run.progress.waitingFor);
}

/** Lets a paused order go on. */
export function resumeOrder(run: Run): void {
  delete run.carried.paused;
  delete run.progress.paused;
  asked(run, 'resumed');
  show(run, run.progress.status, run.progress.waitingFor);
}

/**
 * Stands before every write: holds it back while the order is paused. Reads go on meanwhile, and an
 * order that is to be cancelled is let through, to be stopped.
 */
export async function passWhenResumed(run: Run, doing: string): Promise<void> {
  const isHeld = (): boolean => run.carried.paused !== undefined && !run.carried.cancelAsked;
  if (!isHeld()) return;
  show(run, 'Paused', `somebody to resume it, before the ${doing}`);
  await condition(() => !isHeld());
}
