import { workflowOf } from './order/runOrder';
import { sweep } from './steps/sweep';

/** Collects what wallets hold of a token into one of ours, and returns once all has settled. */
export const sweepWallets = workflowOf('sweepWallets', (live) => {
  const { wallet: into, wallets, token, order } = live.opened;
  const { keep, feeLevel } = order;
  return sweep(live, { wallets, into, token, keep, feeLevel });
});
