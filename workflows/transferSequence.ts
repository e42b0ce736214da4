import { workflowOf } from './order/runOrder';
import { fund } from './steps/fund';
import { only, provision } from './steps/provision';
import { hasBeenSent, transfer } from './steps/transfer';

/**
 * From nothing to a settled transfer: a wallet set, two wallets, funds for the first, a transfer.
 */
export const transferSequence = workflowOf('transferSequence', async (live) => {
  const { token, order } = live.opened;
  const { name, accountType, amount, source, feeLevel } = order;
  const { walletSetId, wallets } = await provision(live, { name, accountType, count: 2 });
  const sender = only(wallets, 0);
  const recipient = only(wallets, 1);
  const money = { token, amount, feeLevel };
  const sent = { step: 'transfer', from: sender, to: recipient.address, ...money };
  const isSpent = () => hasBeenSent(live, sent, { isFresh: true });
  // A transfer that was sent before needs no funds.
  const funded = (await hasBeenSent(live, sent))
    ? undefined
    : await fund(live, { wallet: sender, source, isSpent, ...money });
  const receipt = await transfer(live, sent);
  return { ...receipt, walletSetId, sender, recipient, funded };
});
