import type { CustodyApi } from '../../custody/endpoints';
import { RefusedError } from '../../custody/errors';
import { balancesOf, pageSize } from '../../custody/list';
import type { Nft, Token } from '../../custody/objects/token';
import type { Item } from '../money';
import type { WalletIds } from './accountWallets';
import type { ReadPace } from './pace';

/** A token that is not the coin, or an item of it, that a wallet holds. In lower case. */
export type HeldToken = { wallet: string; address: string; item?: Item };

/** The tokens of wallets, and what was not asked for, in words. */
type Holdings = { held: HeldToken[]; notLookedAt: string[] };

/** Two calls a wallet, at ten in a second, so that an account of any size has its answer. */
const walletsMax = 100;

/** Asks the service for all tokens and items that wallets hold now. */
export async function heldTokens(
  custody: Pick<CustodyApi, 'listBalances' | 'listNfts'>,
  wallets: WalletIds,
  pace: ReadPace,
): Promise<Holdings> {
  const held: HeldToken[] = [];
  const left = { full: 0, refused: 0, others: Math.max(0, wallets.size - walletsMax) };
  for (const [wallet, id] of [...wallets].slice(0, walletsMax)) {
    const asked = { id, includeAll: true, pageSize };
    const balances = balancesOf((page, how) =>
      pace(async () => (await custody.listBalances({ ...asked, ...page }, how)).tokenBalances),
    );
    const tokens = await orRefused(balances);
    const items = await orRefused(pace(() => custody.listNfts(asked)));
    const { nfts = [] } = items ?? {};
    if (tokens === undefined || items === undefined) left.refused += 1;
    if (nfts.length === pageSize) left.full += 1;
    for (const { token } of tokens ?? []) held.push(...tokenOf(wallet, token));
    held.push(...nfts.flatMap((nft) => itemOf(wallet, nft)));
  }
  const idle = 'tokens that did not move';
  return {
    held,
    notLookedAt: [
      ...(left.others > 0 ? [`${idle}, of ${left.others} more wallets`] : []),
      ...(left.refused > 0 ? [`${idle}, of ${left.refused} wallets: the service refuses it`] : []),
      ...(left.full > 0
        ? [`items that did not move, beyond ${pageSize} a wallet, of ${left.full}`]
        : []),
    ],
  };
}

async function orRefused<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

function itemOf(wallet: string, { token, nftTokenId }: Nft): HeldToken[] {
  const { standard } = token;
  if (standard !== 'ERC721' && standard !== 'ERC1155') return [];
  if (nftTokenId === undefined || !/^\d{1,78}$/.test(nftTokenId)) return [];
  const item: Item = { standard, id: BigInt(nftTokenId) };
  return tokenOf(wallet, token).map((one) => ({ ...one, item }));
}

function tokenOf(wallet: string, { tokenAddress }: Token): HeldToken[] {
  return tokenAddress ? [{ wallet, address: tokenAddress.toLowerCase() }] : [];
}
