import type { TransferOrder, TransferReceipt } from '../src/orders/transfer';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
import { transfer } from './steps/transfer';

/** Sends a token from one wallet to an address, and returns once the transfer has settled. */
export async function transferStablecoin(
  order: TransferOrder,
  carried?: Carried,
): Promise<TransferReceipt> {
  return runOrder({ kind: 'transferStablecoin', order, carried }, (run) => {
    const { to, amount, feeLevel } = run.opened.order;
    const { wallet: from, token } = named(run.opened, 'wallet', 'token');
    return transfer(run, { step: 'transfer', from, to, token, amount, feeLevel });
  });
}
