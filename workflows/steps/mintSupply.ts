import { templateIds } from '../../src/custody/template';
import type { FeeLevel } from '../../src/custody/transaction';
import type { DeployReceipt, InitialMint } from '../../src/orders/deploy';
import type { Run } from '../run';
import { mint } from './mint';
import { mintItem } from './mintItem';

/** What is minted once a contract is there, and with which template that was deployed. */
export type SupplyOrder = {
  wallet: { walletId: string; address: string };
  template: string;
  mint?: InitialMint | undefined;
  feeLevel: FeeLevel;
};

const items: readonly string[] = [templateIds.uniqueItem, templateIds.multiToken];

/** Adds the initial supply to a deployment, where the order asks for one. */
export async function mintSupply(
  run: Run,
  deployed: DeployReceipt,
  ordered: SupplyOrder,
): Promise<DeployReceipt> {
  const { wallet, template, feeLevel } = ordered;
  if (ordered.mint === undefined) return deployed;
  const { to = wallet.address, amount = '1', uri = '' } = ordered.mint;
  const { contractAddress } = deployed;
  const minting = { wallet, contractAddress, to, amount, feeLevel, after: 'deploy/1' };
  if (items.includes(template)) {
    return { ...deployed, supply: await mintItem(run, { ...minting, template, uri }) };
  }
  const minted = await mint(run, minting);
  return { ...deployed, supply: { ...minted.supply, mintTxHash: minted.txHash } };
}
