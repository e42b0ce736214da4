import type { TransferSequenceOrder, TransferSequenceReceipt } from '../src/orders/sequences';
import { named } from './named';
import type { Carried } from './run';
import { runOrder } from './runOrder';
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
  return runOrder({ kind: 'transferSequence', order, carried }, async (run) => {
    const { name, accountType, amount, source, feeLevel } = run.opened.order;
    const { token } = named(run.opened, 'token');
    const { walletSetId, wallets } = await provision(run, { name, accountType, count: 2 });
    const sender = only(wallets, 0);
    const recipient = only(wallets, 1);
    const to = recipient.address;
    const after = 'wallets/1';
    const sent = { step: 'transfer', from: sender, to, token, amount, feeLevel, after };
    const funding = {
      ...{ wallet: sender, token, amount, source, feeLevel },
      after,
      isSpent: () => hasBeenSent(run, sent, { isFresh: true }),
    };
    // What was sent before needs no funds any more.
    const funded = (await hasBeenSent(run, sent)) ? undefined : await fund(run, funding);
    const receipt = await transfer(run, sent);
    return { ...receipt, walletSetId, sender, recipient, funded };
  });
}
