import { workflowOf } from './order/runOrder';
import { mint } from './steps/mint';

/**
 * Mints an amount of a fungible token that the wallet may mint, and returns once it has settled.
 */
export const mintTokens = workflowOf('mintTokens', (live) =>
  mint(live, { ...live.opened.order, wallet: live.opened.wallet }),
);
