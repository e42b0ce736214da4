import type { CustodyApi } from '../custody/endpoints';
import { readReference } from '../custody/idempotencyKey';
import type { Ledger } from './ledger/ledger';

/** The service's largest page. */
const pageSize = 50;

/**
 * Reads the list of the account into a ledger. If the ledger is new or was lost, it reads all of
 * it. Otherwise the file may be an older copy, and it reads until a page is known. Every reference
 * that the service has and the ledger has not is burnt, so that nothing is sent a second time.
 */
export async function buildLedger(
  custody: Pick<CustodyApi, 'listTransactions'>,
  ledger: Pick<Ledger, 'isBuilt' | 'burn' | 'built' | 'known'>,
): Promise<void> {
  const isBuilt = await ledger.isBuilt();
  let after: string | undefined;
  for (;;) {
    const cursor = after === undefined ? {} : { pageAfter: after };
    const narrowed = { pageSize, includeAll: true, txType: 'OUTBOUND', ...cursor };
    const { transactions } = await custody.listTransactions(narrowed);
    const references = transactions.flatMap(({ refId }) => readReference(refId) ?? []);
    const known = await Promise.all(references.map((one) => ledger.known(one)));
    const unknown = references.filter((_, index) => known[index] === undefined);
    await ledger.burn(unknown);
    const last = transactions.at(-1);
    if (last === undefined || last.id === after || (isBuilt && unknown.length === 0)) break;
    after = last.id;
  }
  await ledger.built();
}
