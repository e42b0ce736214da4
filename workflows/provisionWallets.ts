import type { ProvisionOrder, ProvisionReceipt } from '../src/orders/provision';
import type { Carried } from './order/liveOrder';
import { runOrder } from './order/runOrder';
import { provision } from './steps/provision';

/** Creates a wallet set and wallets in it. */
export async function provisionWallets(
  order: ProvisionOrder,
  carried?: Carried,
): Promise<ProvisionReceipt> {
  return runOrder({ kind: 'provisionWallets', order, carried }, (live) =>
    provision(live, live.opened.order),
  );
}
