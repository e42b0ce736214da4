import type { FundOrder, FundReceipt } from '../src/orders/fund';
import { cancelled } from './order/cancel';
import type { Carried } from './order/liveOrder';
import { named } from './order/named';
import { runOrder } from './order/runOrder';
import { fund } from './steps/fund';

/** Sees to it that a wallet holds at least an amount of a token, and returns once it does. */
export async function fundWallet(order: FundOrder, carried?: Carried): Promise<FundReceipt> {
  return runOrder({ kind: 'fundWallet', order, carried }, async (live) => {
    const { amount, source, feeLevel } = live.opened.order;
    const { wallet, token } = named(live.opened, 'wallet', 'token');
    const funded = await fund(live, { wallet, token, amount, source, feeLevel });
    if (funded === undefined) throw cancelled();
    return funded;
  });
}
