import { templateIds } from '../../src/custody/objects/template';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import { itemMintOf } from '../../src/orders/progress/doing';
import type { LiveOrder } from '../order/liveOrder';
import { readSurely } from '../order/read';
import { execute } from './execute';
import { readBefore } from './readBefore';

export type ItemMint = {
  template: string;
  wallet: { walletId: string; address: string };
  contractAddress: string;
  to: string;
  /** Address of the item's metadata. */
  uri: string;
  /** Amount of the new token, for a multi-token contract. */
  amount: string;
  feeLevel: FeeLevel;
};

export type ItemSupply = { before: string; after: string; mintTxHash: string; tokenId: string };

/** A multi-token contract's number for "a new token". */
const newToken = (2n ** 256n - 1n).toString();

/**
 * Mints a unique item, or an amount of a new token. Returns the item's number and the supply once
 * the mint has settled.
 */
export async function mintItem(live: LiveOrder, ordered: ItemMint): Promise<ItemSupply> {
  const { template, contractAddress } = ordered;
  const isUnique = template === templateIds.uniqueItem;
  const code = { address: contractAddress, blockchain: live.opened.blockchain };
  const tokenId = await readBefore(live, { ...code, signature: 'nextTokenIdToMint()' });
  const supply = isUnique
    ? { ...code, signature: 'totalSupply()' }
    : { ...code, signature: 'totalSupply(uint256)', parameters: [tokenId] };
  const supplyBefore = await readBefore(live, supply);
  let supplyAfter = supplyBefore;
  const { txHash } = await execute(live, {
    ...minting(ordered, isUnique),
    afterwards: async () => {
      // The mint has settled, so no fault of this read may change the order's end.
      supplyAfter = await readSurely(live, `supply of ${contractAddress} after the mint`, (from) =>
        from.readNumber(supply),
      );
    },
  });
  return { before: supplyBefore, after: supplyAfter, mintTxHash: txHash, tokenId };
}

function minting(ordered: ItemMint, isUnique: boolean) {
  const { wallet, contractAddress, to, uri, amount } = ordered;
  const call = isUnique
    ? { abiFunctionSignature: 'mintTo(address,string)', abiParameters: [to, uri] }
    : {
        abiFunctionSignature: 'mintTo(address,uint256,string,uint256)',
        abiParameters: [to, newToken, uri, amount],
      };
  return {
    step: 'mint',
    wallet,
    feeLevel: ordered.feeLevel,
    doing: itemMintOf(isUnique ? undefined : amount, to),
    call: { contractAddress, ...call },
  };
}
