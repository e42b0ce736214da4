import type { FundOrder, FundReceipt } from '../src/orders/fund';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { fund } from './steps/fund';

/** Sees to it that a wallet holds at least an amount of a token, and returns once it does. */
export async function fundWallet(order: FundOrder, carried?: Carried): Promise<FundReceipt> {
  return runOrder({ kind: 'fundWallet', order, carried }, (run) => {
    const { amount, source, feeLevel } = run.opened.order;
    const { wallet, token } = named(run.opened, 'wallet', 'token');
    return fund(run, { wallet, token, amount, source, feeLevel });
  });
}
