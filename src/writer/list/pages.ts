import { listStartMs, pagesOf, passing } from '../../custody/list';
import { readOutbound, type TransactionList } from '../../custody/outbound';

/**
 * Reads all that the account has sent, of every token, back to a moment. The policed client notes
 * whatever passes by, and a record that cannot be read as one that may have moved anything. Returns
 * the number of pages, and the moment at which the list begins.
 */
export async function readBack(
  list: TransactionList,
  sinceMs: number,
): Promise<{ pages: number; newestMs: number }> {
  const pages = pagesOf(readOutbound(list));
  const isPast = passing(sinceMs);
  const read = { pages: 0, newestMs: 0 };
  for await (const records of pages) {
    read.pages += 1;
    // A wrong date moves no mark: later looks go back to it.
    if (read.pages === 1) read.newestMs = listStartMs(records);
    if (isPast(records)) break;
  }
  return read;
}
