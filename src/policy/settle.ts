import type { CustodyApi } from '../custody/endpoints';
import type { Ledger } from './ledger/ledger';

/** The service's largest page. */
const pageSize = 50;
const openMax = 10_000;
/** The service's clock may be behind ours, and a record shows up late. */
const skewMs = 120_000;

/**
 * Reads the list of the account back to the oldest open reservation, if there is one. The policed
 * client settles whatever passes by. Returns the number of pages.
 */
export async function settleOpen(
  custody: Pick<CustodyApi, 'listTransactions'>,
  ledger: Pick<Ledger, 'openWrites'>,
): Promise<number> {
  const [oldest] = await ledger.openWrites(openMax);
  if (oldest === undefined) return 0;
  let after: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const cursor = after === undefined ? {} : { pageAfter: after };
    const narrowed = { pageSize, includeAll: true, txType: 'OUTBOUND', ...cursor };
    const { transactions } = await custody.listTransactions(narrowed);
    const last = transactions.at(-1);
    const isOld = last === undefined || Date.parse(last.createDate) < oldest.firstMs - skewMs;
    if (isOld || last.id === after) return pages;
    after = last.id;
  }
}
