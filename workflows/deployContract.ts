import type { DeployOrder, DeployReceipt } from '../src/orders/deploy';
import type { Carried } from './order/liveOrder';
import { named } from './order/named';
import { runOrder } from './order/runOrder';
import { deploy } from './steps/deploy';
import { mintSupply } from './steps/mintSupply';

/**
 * Deploys a contract from a template with a wallet, and mints its initial supply if one is asked.
 */
export async function deployContract(
  order: DeployOrder,
  carried?: Carried,
): Promise<DeployReceipt> {
  return runOrder({ kind: 'deployContract', order, carried }, async (live) => {
    const { wallet } = named(live.opened, 'wallet');
    const deployed = await deploy(live, { ...live.opened.order, wallet });
    return mintSupply(live, deployed, { ...live.opened.order, wallet });
  });
}
