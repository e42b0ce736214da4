import type { ProvisionOrder, ProvisionReceipt } from '../src/orders/provision';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { provision } from './steps/provision';

/** Creates a wallet set and wallets in it. */
export async function provisionWallets(
  order: ProvisionOrder,
  carried?: Carried,
): Promise<ProvisionReceipt> {
  return runOrder({ kind: 'provisionWallets', order, carried }, (run) =>
    provision(run, run.opened.order),
  );
}
