import { condition } from '@temporalio/workflow';
import type { LiveOrder } from './liveOrder';
import { noteRequest, show } from './show';

/** Notes that nothing more is sent until the order is resumed. */
export function pauseOrder(live: LiveOrder, reason: string): void {
  live.carried.paused = { reason, since: new Date().toISOString() };
  live.progress.paused = live.carried.paused;
  noteRequest(live, `paused: ${reason}`);
  show(live, live.progress.status, live.progress.waitingFor);
  live.woken = true;
}

/** Lets a paused order go on. */
export function resumeOrder(live: LiveOrder): void {
  delete live.carried.paused;
  delete live.progress.paused;
  noteRequest(live, 'resumed');
  show(live, live.progress.status, live.progress.waitingFor);
  live.woken = true;
}

/** Stands before every write and holds it back while the order is paused. Reads go on. */
export async function passWhenResumed(live: LiveOrder, doing: string): Promise<void> {
  if (!isPaused(live)) return;
  show(live, 'Paused', `somebody to resume it, before the ${doing}`);
  await condition(() => !isPaused(live));
}

/** True while an order sends nothing. Its cancellation ends that, so that it can stop. */
export function isPaused({ carried }: Pick<LiveOrder, 'carried'>): boolean {
  return carried.paused !== undefined && !carried.cancelAsked;
}
