import { templateIds } from '../../src/custody/objects/template';
import type { FeeLevel } from '../../src/custody/objects/transaction';
import type { DeployReceipt, InitialMint } from '../../src/orders/deploy';
import type { LiveOrder } from '../order/liveOrder';
import { mint } from './mint';
import { mintItem } from './mintItem';

/** The initial supply of a contract, and the template that deployed it. */
export type SupplyOrder = {
  wallet: { walletId: string; address: string };
  template: string;
  mint?: InitialMint | undefined;
  feeLevel: FeeLevel;
};

const items: readonly string[] = [templateIds.uniqueItem, templateIds.multiToken];

/** Adds the initial supply to a deployment, if the order has one. */
export async function mintSupply(
  live: LiveOrder,
  deployed: DeployReceipt,
  ordered: SupplyOrder,
): Promise<DeployReceipt> {
  const { wallet, template, feeLevel } = ordered;
  if (ordered.mint === undefined) return deployed;
  const { to = wallet.address, amount = '1', uri = '' } = ordered.mint;
  const { contractAddress } = deployed;
  const minting = { wallet, contractAddress, to, amount, feeLevel };
  if (items.includes(template)) {
    return { ...deployed, supply: await mintItem(live, { ...minting, template, uri }) };
  }
  const minted = await mint(live, minting);
  return { ...deployed, supply: { ...minted.supply, mintTxHash: minted.txHash } };
}
