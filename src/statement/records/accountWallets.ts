import type { CustodyApi } from '../../custody/endpoints';
import { NoWalletError } from '../statementError';
import type { Pace } from './pace';

/** The ids of wallets by their addresses in lower case. */
export type WalletIds = ReadonlyMap<string, string>;

const pageSize = 50;

/**
 * Lists the wallets of the account on a chain: those with these ids, or all of them. Throws a
 * NoWalletError for an id that the account does not have there.
 */
export async function accountWallets(
  custody: Pick<CustodyApi, 'listWallets'>,
  {
    blockchain,
    walletIds,
    pace,
  }: { blockchain: string; walletIds: readonly string[] | undefined; pace: Pace },
): Promise<WalletIds> {
  const wanted = walletIds && new Set(walletIds.map((id) => id.toLowerCase()));
  const found = new Map<string, string>();
  for (let after: string | undefined; ; ) {
    const page = { blockchain, pageSize, ...(after === undefined ? {} : { pageAfter: after }) };
    const { wallets } = await pace(() => custody.listWallets(page));
    for (const { id, address } of wallets) {
      if (wanted?.delete(id.toLowerCase()) !== false) found.set(address.toLowerCase(), id);
    }
    const last = wallets.at(-1)?.id;
    if (last === undefined || last === after || wanted?.size === 0) break;
    after = last;
  }
  const [missing] = wanted ?? [];
  if (missing === undefined) return found;
  throw new NoWalletError(
    `wallets: ${missing} is no wallet of this account on ${blockchain}. ` +
      'Give the ids that provision printed.',
  );
}
