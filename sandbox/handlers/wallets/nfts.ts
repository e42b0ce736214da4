import type { Input } from '../../../src/custody/endpoints';
import type { Nft } from '../../../src/custody/objects/token';
import { type ItemPlace, readItemCount, readItemUri } from '../../chain/item';
import { listed, type Paged, readPage } from '../../store/page';
import { derivedId } from '../../store/records/derivedId';
import type { Item } from '../../store/records/receivedTokens';
import { given, isoSeconds } from '../../store/records/records';
import { isItem, type KnownToken, standardOf, toToken } from '../../store/records/tokenRecord';
import { requireChain } from '../../store/records/walletBlockchain';
import type { Service } from '../service';
import { tokensAsked } from './tokensAsked';
import { wallet as walletOf } from './wallets';

/** A wallet's items, page by page. Items that it has given away are left out. */
export async function listNfts(
  service: Service,
  input: Input<'listNfts'>,
  paged: Paged,
): Promise<{ nfts: Nft[] }> {
  const { store, chain } = service;
  const wallet = walletOf(service, input.id);
  requireChain(wallet);
  const asked = new Map<string, KnownToken>();
  for (const token of await tokensAsked(service, input)) {
    if (isItem(token)) asked.set(token.id, token);
  }
  const items = store.receivedTokens.itemsOf(wallet.id).flatMap((item) => {
    const token = asked.get(item.tokenId);
    return token?.address === undefined ? [] : [{ item, token, address: token.address }];
  });
  const counted = items.map(async ({ item, token, address }) => {
    const place = {
      token: address,
      standard: standardOf(token),
      itemId: BigInt(item.itemId),
    };
    const count = await readItemCount(chain.client, place, wallet.address);
    return { id: cursorOf(item), hidden: count === 0n, token, place, count };
  });
  const page = readPage(listed(await Promise.all(counted)), { input, paged });
  return { nfts: await Promise.all(page.map((one) => toNft(service, one))) };
}

/** An item has no id of its own on the wire, so that this one is in the `Link` alone. */
function cursorOf({ tokenId, itemId }: Item): string {
  return derivedId(`item ${tokenId} ${itemId}`);
}

type Counted = { token: KnownToken; place: ItemPlace; count: bigint };

async function toNft({ chain, shown }: Service, { token, place, count }: Counted): Promise<Nft> {
  return {
    amount: count.toString(),
    nftTokenId: place.itemId.toString(),
    ...given('metadata', await readItemUri(chain.client, place)),
    token: toToken(token, shown.blockchain),
    updateDate: isoSeconds(Date.now()),
  };
}
