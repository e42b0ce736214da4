import type { DeploymentSequenceOrder, DeploymentSequenceReceipt } from '../src/orders/sequences';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { deploy } from './steps/deploy';
import { mintSupply } from './steps/mintSupply';
import { only, provision } from './steps/provision';

/** From nothing to a contract: a wallet set, an SCA wallet, the deployment, its initial supply. */
export async function deploymentSequence(
  order: DeploymentSequenceOrder,
  carried?: Carried,
): Promise<DeploymentSequenceReceipt> {
  return runOrder({ kind: 'deploymentSequence', order, carried }, async (run) => {
    const { order: opened } = run.opened;
    const wanted = { name: opened.name, count: 1, accountType: 'SCA' } as const;
    const { walletSetId, wallets } = await provision(run, wanted);
    const wallet = only(wallets, 0);
    const deployed = await deploy(run, { ...opened, wallet, after: 'wallets/1' });
    const receipt = await mintSupply(run, deployed, { ...opened, wallet });
    return { ...receipt, walletSetId, wallet };
  });
}
