import { setTimeout as sleep } from 'node:timers/promises';

/** Times in milliseconds. */
type Clock = { now(): number; wait(ms: number): Promise<unknown> };

/** The longest wait, since an attempt has little more time than its call. */
const waitMaxMs = 1_000;
const secondMs = 1_000;

/**
 * Spreads calls that come together over a second. Temporal limits a queue on average, and hands out
 * a whole second's calls at once after a pause. The service counts each second. A call waits a
 * second at most, so that a queue whose limit was raised is not slowed down.
 */
export function spreadCalls(
  perSecond: number,
  { now, wait }: Clock = { now: Date.now, wait: sleep },
): () => Promise<void> {
  let nextMs = 0;
  return async () => {
    const nowMs = now();
    const atMs = Math.min(Math.max(nextMs, nowMs), nowMs + waitMaxMs);
    nextMs = atMs + secondMs / perSecond;
    await wait(atMs - nowMs);
  };
}
