import type { CustodyApi } from '../../custody/endpoints';
import type { Ledger } from '../ledger/ledger';
import { readBack } from './pages';

const openMax = 10_000;
const movingMax = 1_000;
const claimsMax = 200;
/** So far back the list is read again, since an answer may have left a record out. */
const recheckMs = 2 * 3_600_000;
/** So long a write that was released is read again. */
const releasedMs = 30 * 24 * 3_600_000;
/** The service's clock may be behind ours, and a record shows up late. */
const skewMs = 120_000;

/**
 * Reads the list of the account back to the oldest open reservation, if there is one. Then it reads
 * each payment of others that was still moving, and each record whose claim of no effect may be
 * proven by now. The policed client settles whatever passes by. `withFound` also reads back to what
 * operators have released, and reads again what such a claim has released. Both may have happened
 * all the same. It also reads the newest part of the list again. Returns the number of pages.
 */
export async function settleOpen(
  custody: Pick<CustodyApi, 'listTransactions' | 'getTransaction'>,
  ledger: Pick<Ledger, 'openWrites' | 'movingOutside' | 'claims'>,
  { graceMs, ...how }: { graceMs: number; withFound?: boolean },
): Promise<number> {
  const [oldest] = await ledger.openWrites(openMax, how);
  const oldestMs = oldest === undefined ? Number.POSITIVE_INFINITY : oldest.firstMs - skewMs;
  const sinceMs = how.withFound ? Math.min(oldestMs, Date.now() - recheckMs) : oldestMs;
  const read = Number.isFinite(sinceMs) ? await readBack(custody, sinceMs) : undefined;
  const again = how.withFound ? { withinMs: releasedMs } : { graceMs };
  const claimed = await ledger.claims(claimsMax, again);
  for (const id of [...(await ledger.movingOutside(movingMax)), ...claimed]) {
    // A record that cannot be read counts on, and holds up no other.
    await custody.getTransaction({ id }).catch(() => {});
  }
  return read?.pages ?? 0;
}
