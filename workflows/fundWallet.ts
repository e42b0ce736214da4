import { cancellation } from './order/cancel';
import { workflowOf } from './order/runOrder';
import { fund } from './steps/fund';

/** Sees to it that a wallet holds at least an amount of a token, and returns once it does. */
export const fundWallet = workflowOf('fundWallet', async (live) => {
  const { wallet, token, order } = live.opened;
  const { amount, source, feeLevel } = order;
  const funded = await fund(live, { wallet, token, amount, source, feeLevel });
  if (funded === undefined) throw cancellation();
  return funded;
});
