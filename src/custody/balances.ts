import type { CallOptions } from './endpoints';
import { type Page, pageSize, pagesOf } from './list';
import type { Balance } from './objects/token';

/**
 * Reads all balances of a wallet, however many tokens it holds. Most wallets hold few, so that one
 * call is enough. A full page, or one that another follows, is read on by the pager.
 */
export async function balancesOf(
  read: (page: Page, how: Pick<CallOptions, 'paged'>) => Promise<readonly Balance[]>,
): Promise<readonly Balance[]> {
  let isMore = false;
  const paged: CallOptions['paged'] = ({ next }) => {
    isMore = next !== undefined;
  };
  const first = await read({ pageSize }, { paged });
  if (first.length < pageSize && !isMore) return first;
  const all: Balance[] = [];
  const pages = pagesOf(async (page, how) =>
    (await read(page, how)).map((balance) => ({ id: balance.token.id, balance })),
  );
  for await (const page of pages) all.push(...page.map(({ balance }) => balance));
  return all;
}
