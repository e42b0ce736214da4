import type { CustodyApi } from '../../custody/endpoints';
import type { Ledger } from '../ledger/ledger';
import { readBack } from './pages';

const openMax = 10_000;
const movingMax = 1_000;
/** The service's clock may be behind ours, and a record shows up late. */
const skewMs = 120_000;

/**
 * Reads the list of the account back to the oldest open reservation, if there is one. Then it reads
 * each payment of others that was still moving. The policed client settles whatever passes by. With
 * `withFound`, it also reads back to what operators have released, since that may have happened all
 * the same. Returns the number of pages.
 */
export async function settleOpen(
  custody: Pick<CustodyApi, 'listTransactions' | 'getTransaction'>,
  ledger: Pick<Ledger, 'openWrites' | 'movingOutside'>,
  how: { withFound?: boolean } = {},
): Promise<number> {
  const [oldest] = await ledger.openWrites(openMax, how);
  const read = oldest === undefined ? undefined : await readBack(custody, oldest.firstMs - skewMs);
  for (const id of await ledger.movingOutside(movingMax)) {
    // One that cannot be read counts on, and holds up no other.
    await custody.getTransaction({ id }).catch(() => {});
  }
  return read?.pages ?? 0;
}
