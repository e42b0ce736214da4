import type { CustodyApi } from '../../custody/endpoints';
import type { Transaction } from '../../custody/objects/transaction';

/** The position in a list, and the size of a page. */
export type Page = { pageSize: number; pageAfter?: string };

/** The service's largest page. */
const pageSize = 50;

/**
 * The pages of a list, newest first, with the empty one at its end. A page that repeats is the
 * last. Throws for pages that go round in a circle.
 */
export async function* pagesOf<Item extends { id: string }>(
  read: (page: Page) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  const ends = new Set<string>();
  for (let after: string | undefined; ; ) {
    const items = await read({ pageSize, ...(after && { pageAfter: after }) });
    yield items;
    const last = items.at(-1)?.id;
    if (last === undefined || last === after) return;
    if (ends.has(last)) throw new Error(`The list of the service has no end: ${last} came twice.`);
    ends.add(last);
    after = last;
  }
}

/** The list of all that an account has sent, newest first. */
export type List = Pick<CustodyApi, 'listTransactions'>;

/**
 * Reads all that the account has sent, of every token, back to a moment. The policed client notes
 * whatever passes by. Returns the number of pages, and the moment of the newest record.
 */
export async function readBack(
  list: List,
  sinceMs: number,
): Promise<{ pages: number; newestMs: number }> {
  const pages = pagesOf(async (page) => {
    const narrowed = { ...page, includeAll: true, txType: 'OUTBOUND' };
    return (await list.listTransactions(narrowed)).transactions;
  });
  const read = { pages: 0, newestMs: 0 };
  for await (const records of pages) {
    read.pages += 1;
    read.newestMs = Math.max(read.newestMs, ...records.map(timeOf).filter(Number.isFinite));
    const last = records.at(-1);
    if (last !== undefined && timeOf(last) < sinceMs) break;
  }
  return read;
}

function timeOf({ createDate }: Transaction): number {
  return Date.parse(createDate);
}
