import { workflowOf } from './order/runOrder';
import { transfer } from './steps/transfer';

/** Sends a token from one wallet to an address, and returns once the transfer has settled. */
export const transferStablecoin = workflowOf('transferStablecoin', async (live) => {
  const { wallet: from, token, order, checks } = live.opened;
  const { to, amount, feeLevel, exchange } = order;
  const receipt = await transfer(live, { step: 'transfer', from, to, token, amount, feeLevel });
  return { ...receipt, ...(exchange && { exchange }), ...(checks && { checks }) };
});
