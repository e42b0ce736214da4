import type { CustodyApi } from '../../custody/endpoints';
import { UnexpectedAnswerError } from '../../custody/errors';
import type { Transaction } from '../../custody/objects/transaction';
import type { Period } from '../chain/period';
import { pacing } from './pace';

const pageSize = 50;

/** Calls of the service's list, at no more than half of its limit. */
export type Lister = (
  input: Parameters<CustodyApi['listTransactions']>[0],
) => Promise<readonly Transaction[]>;

/** The service's list, read in turn with the other reads of a question. */
export function pacedLister(
  custody: Pick<CustodyApi, 'listTransactions'>,
  pace = pacing(),
): Lister {
  return (input) => pace(async () => (await custody.listTransactions(input)).transactions);
}

/** The service, with reads of its list that keep to the same pace. */
export function pacedReads(custody: CustodyApi): CustodyApi {
  const list = pacedLister(custody);
  return {
    ...custody,
    listTransactions: async (input) => ({ transactions: [...(await list(input))] }),
  };
}

/** The records to read: of some wallets, or of all, and with what came in or without it. */
type Wanted = { period: Period; walletIds?: readonly string[] | undefined; isOutbound?: boolean };

/** The service's list of a period, oldest first, by the page. */
export async function* readRecords(
  list: Lister,
  { period, walletIds, isOutbound = false }: Wanted,
): AsyncGenerator<readonly Transaction[]> {
  const asked = {
    includeAll: true,
    order: 'ASC' as const,
    pageSize,
    from: new Date(period.fromMs).toISOString(),
    to: new Date(period.untilMs).toISOString(),
    ...(isOutbound ? { txType: 'OUTBOUND' } : {}),
    ...(walletIds === undefined ? {} : { walletIds: walletIds.join(',') }),
  };
  for (let after: string | undefined; ; ) {
    const page = await list({ ...asked, ...(after === undefined ? {} : { pageAfter: after }) });
    const last = page.at(-1)?.id;
    if (last === undefined) return;
    if (last === after) {
      const message = `A list does not end: the page after ${after} ends with it again.`;
      throw new UnexpectedAnswerError(message, { status: 200 });
    }
    yield page;
    after = last;
  }
}
