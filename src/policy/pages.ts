import type { CustodyApi } from '../custody/endpoints';
import type { Transaction } from '../custody/objects/transaction';

/** The position in a list, and the size of a page. */
export type Page = { pageSize: number; pageAfter?: string };

/** The service's largest page. */
const pageSize = 50;

/** The pages of a list, newest first, with the empty one at its end. A page that repeats is the last. */
export async function* pagesOf<Item extends { id: string }>(
  read: (page: Page) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  for (let after: string | undefined; ; ) {
    const items = await read({ pageSize, ...(after && { pageAfter: after }) });
    yield items;
    const last = items.at(-1)?.id;
    if (last === undefined || last === after) return;
    after = last;
  }
}

/** All that the account has sent, of every token, in pages. */
export function outboundPages(
  custody: Pick<CustodyApi, 'listTransactions'>,
): AsyncGenerator<readonly Transaction[]> {
  return pagesOf(async (page) => {
    const narrowed = { ...page, includeAll: true, txType: 'OUTBOUND' };
    return (await custody.listTransactions(narrowed)).transactions;
  });
}
