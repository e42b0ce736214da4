import type {
  DeploymentSequenceOrder,
  DeploymentSequenceReceipt,
} from '../src/orders/deploymentSequence';
import type { Carried } from './order/liveOrder';
import { runOrder } from './order/runOrder';
import { deploy } from './steps/deploy';
import { mintSupply } from './steps/mintSupply';
import { only, provision } from './steps/provision';

/** From nothing to a contract: a wallet set, an SCA wallet, the deployment, its initial supply. */
export async function deploymentSequence(
  order: DeploymentSequenceOrder,
  carried?: Carried,
): Promise<DeploymentSequenceReceipt> {
  return runOrder({ kind: 'deploymentSequence', order, carried }, async (live) => {
    const { order: opened } = live.opened;
    const wanted = { name: opened.name, count: 1, accountType: 'SCA' } as const;
    const { walletSetId, wallets } = await provision(live, wanted);
    const wallet = only(wallets, 0);
    const deployed = await deploy(live, { ...opened, wallet });
    const receipt = await mintSupply(live, deployed, { ...opened, wallet });
    return { ...receipt, walletSetId, wallet };
  });
}
