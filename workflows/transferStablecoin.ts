import { workflowOf } from './order/runOrder';
import { transfer } from './steps/transfer';

/** Sends a token from one wallet to an address, and returns once the transfer has settled. */
export const transferStablecoin = workflowOf('transferStablecoin', (live) => {
  const { wallet: from, token, order } = live.opened;
  const { to, amount, feeLevel } = order;
  return transfer(live, { step: 'transfer', from, to, token, amount, feeLevel });
});
