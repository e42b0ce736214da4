import type { FundOrder, FundReceipt } from '../src/orders/fund';
import { cancelled } from './cancel';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { fund } from './steps/fund';

/** Sees to it that a wallet holds at least an amount of a token, and returns once it does. */
export async function fundWallet(order: FundOrder, carried?: Carried): Promise<FundReceipt> {
  return runOrder({ kind: 'fundWallet', order, carried }, async (run) => {
    const { amount, source, feeLevel } = run.opened.order;
    const { wallet, token } = named(run.opened, 'wallet', 'token');
    const funded = await fund(run, { wallet, token, amount, source, feeLevel });
    if (funded === undefined) throw cancelled();
    return funded;
  });
}
