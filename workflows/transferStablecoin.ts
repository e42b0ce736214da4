import type { TransferOrder, TransferReceipt } from '../src/orders/transfer';
import type { Carried } from './order/liveOrder';
import { named } from './order/named';
import { runOrder } from './order/runOrder';
import { transfer } from './steps/transfer';

/** Sends a token from one wallet to an address, and returns once the transfer has settled. */
export async function transferStablecoin(
  order: TransferOrder,
  carried?: Carried,
): Promise<TransferReceipt> {
  return runOrder({ kind: 'transferStablecoin', order, carried }, (live) => {
    const { to, amount, feeLevel } = live.opened.order;
    const { wallet: from, token } = named(live.opened, 'wallet', 'token');
    return transfer(live, { step: 'transfer', from, to, token, amount, feeLevel });
  });
}
