import type { CustodyApi } from '../../custody/endpoints';
import { pagesOf } from '../../custody/list';
import { salvageTransaction, type Transaction } from '../../custody/objects/transaction';
import type { Period } from '../chain/period';
import { pacing } from './pace';

/** Calls of the service's list, at no more than half of its limit. */
export type Lister = (
  ...call: Parameters<CustodyApi['listTransactions']>
) => Promise<readonly Transaction[]>;

/** The service's list, read in turn with the other reads of a question. */
export function pacedLister(
  custody: Pick<CustodyApi, 'listTransactions'>,
  pace = pacing(),
): Lister {
  return (...call) => pace(async () => (await custody.listTransactions(...call)).transactions);
}

/** The service, with reads of its list that keep to the same pace. */
export function pacedReads(custody: CustodyApi): CustodyApi {
  const list = pacedLister(custody);
  return {
    ...custody,
    listTransactions: async (...call) => ({ transactions: [...(await list(...call))] }),
  };
}

/** The records to read: of some wallets, or of all, and with what came in or without it. */
type Wanted = { period: Period; walletIds?: readonly string[] | undefined; isOutbound?: boolean };

/** The service's list of a period, oldest first, by the page. It has records that cannot be read. */
export function readRecords(
  list: Lister,
  { period, walletIds, isOutbound = false }: Wanted,
): AsyncGenerator<readonly Transaction[]> {
  const asked = {
    includeAll: true,
    order: 'ASC' as const,
    from: new Date(period.fromMs).toISOString(),
    to: new Date(period.untilMs).toISOString(),
    ...(isOutbound ? { txType: 'OUTBOUND' } : {}),
    ...(walletIds === undefined ? {} : { walletIds: walletIds.join(',') }),
  };
  const salvage = salvageTransaction;
  return pagesOf((page, how) => list({ ...asked, ...page }, { ...how, salvage }));
}
