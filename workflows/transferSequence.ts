import type {
  TransferSequenceOrder,
  TransferSequenceReceipt,
} from '../src/orders/transferSequence';
import type { Carried } from './order/liveOrder';
import { named } from './order/named';
import { runOrder } from './order/runOrder';
import { fund } from './steps/fund';
import { only, provision } from './steps/provision';
import { hasBeenSent, transfer } from './steps/transfer';

/**
 * From nothing to a settled transfer: a wallet set, two wallets, funds for the first, a transfer.
 */
export async function transferSequence(
  order: TransferSequenceOrder,
  carried?: Carried,
): Promise<TransferSequenceReceipt> {
  return runOrder({ kind: 'transferSequence', order, carried }, async (live) => {
    const { name, accountType, amount, source, feeLevel } = live.opened.order;
    const { token } = named(live.opened, 'token');
    const { walletSetId, wallets } = await provision(live, { name, accountType, count: 2 });
    const sender = only(wallets, 0);
    const recipient = only(wallets, 1);
    const to = recipient.address;
    const sent = { step: 'transfer', from: sender, to, token, amount, feeLevel };
    const funding = {
      wallet: sender,
      token,
      amount,
      source,
      feeLevel,
      isSpent: () => hasBeenSent(live, sent, { isFresh: true }),
    };
    // A transfer that was sent before needs no funds.
    const funded = (await hasBeenSent(live, sent)) ? undefined : await fund(live, funding);
    const receipt = await transfer(live, sent);
    return { ...receipt, walletSetId, sender, recipient, funded };
  });
}
