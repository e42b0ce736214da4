import type { MintOrder, MintReceipt } from '../src/orders/mint';
import type { Carried } from './order/liveOrder';
import { named } from './order/named';
import { runOrder } from './order/runOrder';
import { mint } from './steps/mint';

/**
 * Mints an amount of a fungible token that the wallet may mint, and returns once it has settled.
 */
export async function mintTokens(order: MintOrder, carried?: Carried): Promise<MintReceipt> {
  return runOrder({ kind: 'mintTokens', order, carried }, (live) => {
    const { contractAddress, to, amount, feeLevel } = live.opened.order;
    const { wallet } = named(live.opened, 'wallet');
    return mint(live, { wallet, contractAddress, to, amount, feeLevel });
  });
}
