import type { CustodyApi } from '../custody/endpoints';
import type { Ledger } from './ledger/ledger';
import { outboundPages } from './pages';

const openMax = 10_000;
/** The service's clock may be behind ours, and a record shows up late. */
const skewMs = 120_000;

/**
 * Reads the list of the account back to the oldest open reservation, if there is one. The policed
 * client settles whatever passes by. With `withFound`, it also reads back to what operators have
 * released, since that may have happened all the same. Returns the number of pages.
 */
export async function settleOpen(
  custody: Pick<CustodyApi, 'listTransactions'>,
  ledger: Pick<Ledger, 'openWrites'>,
  how: { withFound?: boolean } = {},
): Promise<number> {
  const [oldest] = await ledger.openWrites(openMax, how);
  if (oldest === undefined) return 0;
  let count = 0;
  for await (const transactions of outboundPages(custody)) {
    count += 1;
    const last = transactions.at(-1);
    if (last !== undefined && Date.parse(last.createDate) < oldest.firstMs - skewMs) break;
  }
  return count;
}
