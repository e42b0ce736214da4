import type { DeployOrder, DeployReceipt } from '../src/orders/deploy';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { deploy } from './steps/deploy';
import { mintSupply } from './steps/mintSupply';

/**
 * Deploys a contract from a template with a wallet, and mints its initial supply if one is asked.
 */
export async function deployContract(
  order: DeployOrder,
  carried?: Carried,
): Promise<DeployReceipt> {
  return runOrder({ kind: 'deployContract', order, carried }, async (run) => {
    const { wallet } = named(run.opened, 'wallet');
    const deployed = await deploy(run, { ...run.opened.order, wallet });
    return mintSupply(run, deployed, { ...run.opened.order, wallet });
  });
}
