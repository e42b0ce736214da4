import type { CustodyApi } from '../custody/endpoints';
import { readReference } from '../custody/idempotencyKey';
import type { Ledger } from './ledger/ledger';

/** The service's largest page. */
const pageSize = 50;

/**
 * Reads the whole list of the account into a ledger that is new, or was lost. Every reference that
 * the service has and the ledger has not is burnt, so that nothing is sent a second time.
 */
export async function buildLedger(
  custody: Pick<CustodyApi, 'listTransactions'>,
  ledger: Pick<Ledger, 'isBuilt' | 'burn' | 'built' | 'known'>,
): Promise<void> {
  if (await ledger.isBuilt()) return;
  let after: string | undefined;
  for (;;) {
    const cursor = after === undefined ? {} : { pageAfter: after };
    const narrowed = { pageSize, includeAll: true, txType: 'OUTBOUND', ...cursor };
    const { transactions } = await custody.listTransactions(narrowed);
    const references = transactions.flatMap(({ refId }) => readReference(refId) ?? []);
    const isKnown = await Promise.all(references.map((one) => ledger.known(one)));
    await ledger.burn(references.filter((_, index) => isKnown[index] === undefined));
    const last = transactions.at(-1);
    if (last === undefined || last.id === after) break;
    after = last.id;
  }
  await ledger.built();
}
