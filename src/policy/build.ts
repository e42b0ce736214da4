import type { CustodyApi } from '../custody/endpoints';
import { readReference } from '../custody/idempotencyKey';
import type { Ledger } from './ledger/ledger';
import { outboundPages } from './pages';

/**
 * Reads the list of the account into a ledger. If the ledger is new or was lost, it reads all of
 * it. Otherwise the file may be an older copy, and it reads until a page is known. A reference that
 * only the service knows is burnt: it is never sent again.
 */
export async function buildLedger(
  custody: Pick<CustodyApi, 'listTransactions'>,
  ledger: Pick<Ledger, 'isBuilt' | 'burn' | 'built' | 'known'>,
): Promise<void> {
  const isBuilt = await ledger.isBuilt();
  for await (const transactions of outboundPages(custody)) {
    const references = transactions.flatMap(({ refId }) => readReference(refId) ?? []);
    const known = await Promise.all(references.map((one) => ledger.known(one)));
    const unknown = references.filter((_, index) => known[index] === undefined);
    await ledger.burn(unknown);
    if (isBuilt && unknown.length === 0) break;
  }
  await ledger.built();
}
