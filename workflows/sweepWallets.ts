import type { SweepOrder, SweepReceipt } from '../src/orders/sweep';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { sweep } from './steps/sweep';

/** Collects what wallets hold of a token into one of ours, and returns once all has settled. */
export async function sweepWallets(order: SweepOrder, carried?: Carried): Promise<SweepReceipt> {
  return runOrder({ kind: 'sweepWallets', order, carried }, (run) => {
    const { keep, feeLevel } = run.opened.order;
    const { wallet: into, wallets, token } = named(run.opened, 'wallet', 'wallets', 'token');
    return sweep(run, { wallets, into, token, keep, feeLevel });
  });
}
