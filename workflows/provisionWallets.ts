import { workflowOf } from './order/runOrder';
import { provision } from './steps/provision';

/** Creates a wallet set and wallets in it. */
export const provisionWallets = workflowOf('provisionWallets', (live) =>
  provision(live, live.opened.order),
);
