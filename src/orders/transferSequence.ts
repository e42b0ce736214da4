import { z } from 'zod';
import { fundNote, fundReceipt, fundSource, fundWrites, sourceOf } from './fund';
import { amount, checkDecimals, everyOrder, token } from './input/fields';
import { brief, defineKind } from './kind';
import { transferOf } from './progress/doing';
import { accountType, provisionedWallet, provisionWrites } from './provision';
import { transferReceipt } from './transfer';

/** From nothing to a settled transfer: wallet set, two wallets, funding, transfer. */
const transferSequenceOrder = z
  .strictObject({
    name: z.string().min(1).max(100),
    accountType,
    amount,
    token,
    source: fundSource,
    ...everyOrder,
  })
  .superRefine(checkDecimals);

const transferSequenceReceipt = transferReceipt.extend({
  walletSetId: z.string(),
  sender: provisionedWallet,
  recipient: provisionedWallet,
  funded: fundReceipt
    .optional()
    .describe('Absent where the transfer was found to have been sent before.'),
});

const [payer, payee] = ['its first wallet', 'its second wallet'];

export const transferSequence = defineKind({
  order: transferSequenceOrder,
  receipt: transferSequenceReceipt,
  idWord: 'transfer',
  does: 'from nothing (`--sequence`): wallet set, two wallets, funding, transfer',
  example: {
    name: 'Tills',
    amount: '12.50',
    token: 'USDC',
    source: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
  },
  sentence: ({ amount, token, name, source }) =>
    `Pay ${amount} ${brief(token)} between two new wallets "${name}", funded from ${sourceOf(source)}`,
  writes: (order, resolved) => [
    ...provisionWrites({ ...order, count: 2 }),
    ...fundWrites(order, resolved, payer),
    {
      path: 'transfer/1',
      doing: transferOf(order.amount, order.token, payee),
      makes: 'transfer',
      to: payee,
    },
  ],
  notes: (order) => ['The first wallet is new.', fundNote(order, payer)],
});
