import { setTimeout as sleep } from 'node:timers/promises';
import { RefusedError } from '../custody/errors';
import { log } from '../log';
import type { AccountIndex } from '../store/index/accountIndex';

/** Half of the reads of an account, so that orders can be polled meanwhile. */
const pauseDefaultMs = 100;
const troubleMs = 30_000;
/** The wait for the time at which the list is to be read again. */
const idleDefaultMs = 10_000;
const tellEveryMs = 10_000;

type Pace = { signal: AbortSignal; pauseMs?: number; idleMs?: number };

/**
 * Builds the index in the background, so that it is there when an order asks, and reads the whole
 * list again now and then. The log tells how far it is. An order that asks earlier reads on at full
 * speed.
 */
export async function buildIndex(
  index: Pick<AccountIndex, 'build'>,
  { signal, pauseMs = pauseDefaultMs, idleMs = idleDefaultMs }: Pace,
): Promise<void> {
  let toldMs = Date.now();
  let pages = 0;
  while (!signal.aborted) {
    let delayMs = pauseMs;
    try {
      const records = await index.build();
      if (records !== undefined) pages += 1;
      else {
        if (pages > 0) log.info({ pages }, 'The index of the account is complete.');
        pages = 0;
        delayMs = idleMs;
      }
      if (pages > 0 && Date.now() > toldMs + tellEveryMs) {
        log.info({ pages, records }, 'The index of the account is being built.');
        toldMs = Date.now();
      }
    } catch (error) {
      const isBusy = error instanceof RefusedError && error.status === 429;
      delayMs = isBusy ? (error.retryAfterMs ?? 1_000) : troubleMs;
      if (!isBusy) log.warn(error, 'The index of the account cannot be built yet.');
    }
    await sleep(delayMs, undefined, { signal }).catch(() => {});
  }
}
