import type { CustodyApi } from '../../custody/endpoints';
import type { Item } from '../money';
import type { WalletIds } from './accountWallets';
import type { Pace } from './pace';

/** A token that is not the coin, or an item of it, that a wallet holds. In lower case. */
export type HeldToken = { wallet: string; address: string; item?: Item };

/** The tokens of wallets, and what was not asked for, in words. */
export type Holdings = { held: HeldToken[]; notLookedAt: string[] };

/** Two calls a wallet, at ten in a second, so that an account of any size has its answer. */
const walletsMax = 100;
const pageSize = 50;

/** Asks the service for all tokens and items that wallets hold now. */
export async function heldTokens(
  custody: Pick<CustodyApi, 'listBalances' | 'listNfts'>,
  wallets: WalletIds,
  pace: Pace,
): Promise<Holdings> {
  const held: HeldToken[] = [];
  let full = 0;
  for (const [wallet, id] of [...wallets].slice(0, walletsMax)) {
    const asked = { id, includeAll: true, pageSize };
    const { tokenBalances } = await pace(() => custody.listBalances(asked));
    const { nfts } = await pace(() => custody.listNfts(asked));
    if (tokenBalances.length === pageSize || nfts.length === pageSize) full += 1;
    for (const { token } of tokenBalances) held.push(...tokenOf(wallet, token.tokenAddress));
    for (const { token, nftTokenId } of nfts) {
      const { standard, tokenAddress } = token;
      if (standard !== 'ERC721' && standard !== 'ERC1155') continue;
      if (nftTokenId === undefined || !/^\d+$/.test(nftTokenId)) continue;
      const item = { standard, id: BigInt(nftTokenId) } as const;
      held.push(...tokenOf(wallet, tokenAddress).map((one) => ({ ...one, item })));
    }
  }
  const others = wallets.size - walletsMax;
  return {
    held,
    notLookedAt: [
      ...(others > 0 ? [`tokens that did not move, of ${others} more wallets`] : []),
      ...(full > 0 ? [`tokens that did not move, beyond ${pageSize} a wallet, of ${full}`] : []),
    ],
  };
}

function tokenOf(wallet: string, address: string | undefined): HeldToken[] {
  return address ? [{ wallet, address: address.toLowerCase() }] : [];
}
