import type { CustodyApi } from '../../custody/endpoints';
import { pagesOf } from '../../custody/list';
import { NoWalletError } from '../statementError';
import type { ReadPace } from './pace';

/** The ids of wallets by their addresses in lower case. */
export type WalletIds = ReadonlyMap<string, string>;

/**
 * Lists the wallets of the account on a chain: the wallets with these ids, or all of them. Throws a
 * NoWalletError for an id that the account does not have there.
 */
export async function accountWallets(
  custody: Pick<CustodyApi, 'listWallets'>,
  {
    blockchain,
    walletIds,
    pace,
  }: { blockchain: string; walletIds: readonly string[] | undefined; pace: ReadPace },
): Promise<WalletIds> {
  const wanted = walletIds && new Set(walletIds.map((id) => id.toLowerCase()));
  const found = new Map<string, string>();
  const pages = pagesOf((page, how) =>
    pace(async () => (await custody.listWallets({ blockchain, ...page }, how)).wallets),
  );
  for await (const wallets of pages) {
    for (const { id, address } of wallets) {
      if (wanted?.delete(id.toLowerCase()) !== false) found.set(address.toLowerCase(), id);
    }
    if (wanted?.size === 0) break;
  }
  const [missing] = wanted ?? [];
  if (missing === undefined) return found;
  throw new NoWalletError(
    `wallets: ${missing} is no wallet of this account on ${blockchain}. ` +
      'Give the ids that provision printed.',
  );
}
