import type { SweepOrder, SweepReceipt } from '../src/orders/sweep';
import type { Carried } from './order/liveOrder';
import { named } from './order/named';
import { runOrder } from './order/runOrder';
import { sweep } from './steps/sweep';

/** Collects what wallets hold of a token into one of ours, and returns once all has settled. */
export async function sweepWallets(order: SweepOrder, carried?: Carried): Promise<SweepReceipt> {
  return runOrder({ kind: 'sweepWallets', order, carried }, (live) => {
    const { keep, feeLevel } = live.opened.order;
    const { wallet: into, wallets, token } = named(live.opened, 'wallet', 'wallets', 'token');
    return sweep(live, { wallets, into, token, keep, feeLevel });
  });
}
