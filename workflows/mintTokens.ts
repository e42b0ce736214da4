import type { MintOrder, MintReceipt } from '../src/orders/mint';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { mint } from './steps/mint';

/**
 * Mints an amount of a fungible token that the wallet may mint, and returns once it has settled.
 */
export async function mintTokens(order: MintOrder, carried?: Carried): Promise<MintReceipt> {
  return runOrder({ kind: 'mintTokens', order, carried }, (run) => {
    const { contractAddress, to, amount, feeLevel } = run.opened.order;
    const { wallet } = named(run.opened, 'wallet');
    return mint(run, { wallet, contractAddress, to, amount, feeLevel });
  });
}
