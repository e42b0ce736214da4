import { templateIds } from '../../src/custody/template';
import type { FeeLevel } from '../../src/custody/transaction';
import { itemMintOf } from '../../src/orders/doing';
import { readSurely } from '../read';
import type { Run } from '../run';
import { execute } from './execute';
import { readBefore } from './readBefore';

export type ItemMint = {
  template: string;
  wallet: { walletId: string; address: string };
  contractAddress: string;
  to: string;
  /** Where the item's metadata is. */
  uri: string;
  /** Of a multi-token contract: how many of its new token. */
  amount: string;
  feeLevel: FeeLevel;
  /** The write that deployed the contract, where this order has done so. */
  after?: string | undefined;
};

export type ItemSupply = { before: string; after: string; mintTxHash: string; tokenId: string };

/** The number that a multi-token contract takes for "a new one". */
const newToken = (2n ** 256n - 1n).toString();

/**
 * Mints a unique item, or an amount of a new token of many, and returns once it has settled, with
 * the item's number and the supply it led to.
 */
export async function mintItem(run: Run, ordered: ItemMint): Promise<ItemSupply> {
  const { template, contractAddress } = ordered;
  const isUnique = template === templateIds.uniqueItem;
  const code = { address: contractAddress, blockchain: run.opened.blockchain };
  const tokenId = await readBefore(run, { ...code, signature: 'nextTokenIdToMint()' });
  const supply = isUnique
    ? { ...code, signature: 'totalSupply()' }
    : { ...code, signature: 'totalSupply(uint256)', parameters: [tokenId] };
  const supplyBefore = await readBefore(run, supply);
  let supplyAfter = supplyBefore;
  const { txHash } = await execute(run, {
    ...minting(ordered, isUnique),
    afterwards: async () => {
      // The mint has settled, so nothing that this read meets may end the order otherwise.
      supplyAfter = await readSurely(run, `supply of ${contractAddress} after the mint`, (from) =>
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
    ...{ step: 'mint', after: ordered.after, wallet, feeLevel: ordered.feeLevel },
    doing: itemMintOf(isUnique ? undefined : amount, to),
    call: { contractAddress, ...call },
  };
}
