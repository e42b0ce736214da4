import { workflowOf } from './order/runOrder';
import { deploy } from './steps/deploy';
import { mintSupply } from './steps/mint';

/**
 * Deploys a contract from a template with a wallet, and mints its initial supply if one is asked.
 */
export const deployContract = workflowOf('deployContract', async (live) => {
  const { order, wallet } = live.opened;
  const deployed = await deploy(live, { ...order, wallet });
  return mintSupply(live, deployed, { ...order, wallet });
});
