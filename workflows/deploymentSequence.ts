import { workflowOf } from './order/runOrder';
import { deploy } from './steps/deploy';
import { mintSupply } from './steps/mint';
import { only, provision } from './steps/provision';

/** From nothing to a contract: a wallet set, an SCA wallet, the deployment, its initial supply. */
export const deploymentSequence = workflowOf('deploymentSequence', async (live) => {
  const { order } = live.opened;
  const wanted = { name: order.name, count: 1, accountType: 'SCA' } as const;
  const { walletSetId, wallets } = await provision(live, wanted);
  const wallet = only(wallets, 0);
  const deployed = await deploy(live, { ...order, wallet });
  const receipt = await mintSupply(live, deployed, { ...order, wallet });
  return { ...receipt, walletSetId, wallet };
});
