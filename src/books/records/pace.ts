import { setTimeout as sleep } from 'node:timers/promises';
import { RefusedError } from '../../custody/errors';

/** Half of what the service reads in a second (hosted-service facts, rate limits). */
const readsPerSecond = 10;
const tooManyMs = 1_000;

/** Makes one call of the service in its turn. */
export type ReadPace = <T>(call: () => Promise<T>) => Promise<T>;

/** Spreads the reads of one question. A refusal for too many calls is waited out. */
export function pacing(perSecond = readsPerSecond): ReadPace {
  let nextMs = 0;
  const turn = async (): Promise<void> => {
    const now = performance.now();
    const waitMs = Math.max(0, nextMs - now);
    nextMs = Math.max(now, nextMs) + 1_000 / perSecond;
    if (waitMs > 0) await sleep(waitMs);
  };
  return async (call) => {
    for (;;) {
      await turn();
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof RefusedError) || error.status !== 429) throw error;
        await sleep(error.retryAfterMs ?? tooManyMs);
      }
    }
  };
}
