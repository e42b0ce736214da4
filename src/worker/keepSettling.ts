import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../custody/endpoints';
import { log } from '../log';
import type { Ledger } from '../writer/ledger/ledger';
import { settleOpen } from '../writer/list/settle';

const pauseMs = 15_000;
/** Late records are looked for less often, since that reads far back. */
const longPauseMs = 3_600_000;

/**
 * Settles the reservations of the ledger from the service's list, as long as some are open. A
 * writer that also reads for orders finds most ends by itself before.
 */
export async function keepSettling(
  { api, ledger, graceMs }: { api: CustodyApi; ledger: Ledger; graceMs: number },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  let longAtMs = 0;
  while (!signal.aborted) {
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      const withFound = performance.now() > longAtMs;
      await settleOpen(api, ledger, { graceMs, withFound });
      if (withFound) longAtMs = performance.now() + longPauseMs;
    } catch (error) {
      log.warn(error, 'The open reservations of the ledger cannot be settled yet.');
    }
  }
}
