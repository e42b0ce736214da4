import type { Nft } from '../../../src/custody/objects/token';
import { type ItemPlace, readItemCount, readItemUri } from '../../chain/item';
import { listed, readPage } from '../../store/page';
import { derivedId } from '../../store/records/derivedId';
import type { ReceivedItem } from '../../store/records/receivedTokens';
import { isoSeconds, presentField } from '../../store/records/records';
import { isItem, type SandboxToken, standardOf, toToken } from '../../store/records/tokenRecord';
import { requireChain } from '../../store/records/walletBlockchain';
import type { SandboxApi, Service } from '../service';
import { tokensAsked } from './tokensAsked';
import { requireWallet } from './wallets';

/** The items of wallets, as the chain has them now. */
export function nftHandlers(service: Service) {
  const { store, chain } = service;
  return {
    /** Page by page. Items that the wallet has given away are left out. */
    listNfts: async (input, options) => {
      const wallet = requireWallet(service, input.id);
      requireChain(wallet);
      const tokens = (await tokensAsked(service, input)).filter(isItem);
      const asked = new Map(tokens.map((token) => [token.id, token]));
      const items = store.receivedTokens.itemsOf(wallet.id).flatMap((item) => {
        const token = asked.get(item.tokenId);
        return token?.address === undefined ? [] : [{ item, token, address: token.address }];
      });
      const counted = items.map(async ({ item, token, address }) => {
        const itemId = BigInt(item.itemId);
        const place = { token: address, standard: standardOf(token), itemId };
        const count = await readItemCount(chain.client, place, wallet.address);
        return { id: cursorOf(item), hidden: count === 0n, token, place, count };
      });
      const paging = { input, paged: options?.paged };
      const page = readPage(listed(await Promise.all(counted)), paging);
      return { nfts: await Promise.all(page.map((one) => toNft(service, one))) };
    },
  } satisfies Partial<SandboxApi>;
}

/** An item has no id of its own on the wire, so that this one is in the `Link` alone. */
function cursorOf({ tokenId, itemId }: ReceivedItem): string {
  return derivedId(`item ${tokenId} ${itemId}`);
}

type Counted = { token: SandboxToken; place: ItemPlace; count: bigint };

async function toNft({ chain, shown }: Service, { token, place, count }: Counted): Promise<Nft> {
  return {
    amount: count.toString(),
    nftTokenId: place.itemId.toString(),
    ...presentField('metadata', await readItemUri(chain.client, place)),
    token: toToken(token, shown.blockchain),
    updateDate: isoSeconds(Date.now()),
  };
}
