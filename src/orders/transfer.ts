import { z } from 'zod';
import { exchange, exchangeInWords, exchangeKept } from './exchange/exchange';
import { checkExchange } from './exchange/exchanged';
import { checkedLines } from './input/checkedLines';
import {
  amount,
  checkDecimals,
  everyOrder,
  recipient,
  token,
  walletReference,
} from './input/fields';
import { settlement } from './input/settlement';
import { brief, defineKind } from './kind';
import { transferOf } from './progress/doing';

/** Sends an amount of a token from a wallet of the service to any address. */
const transferOrder = z
  .strictObject({
    from: walletReference,
    to: recipient,
    amount,
    token,
    exchange: exchange.optional(),
    strict: z
      .boolean()
      .optional()
      .describe('Refuses the payment if a check of it finds something. Without it, it is paid.'),
    ...everyOrder,
  })
  .superRefine(checkDecimals)
  .superRefine(checkExchange);
export type TransferOrder = z.input<typeof transferOrder>;

export const transferReceipt = settlement.extend({
  from: z.string(),
  to: z.string(),
  amount: z.string(),
  token: z.string(),
  exchange: exchangeKept.optional(),
  checks: checkedLines.optional().describe('The checks of a strict order before it was paid.'),
});
export type TransferReceipt = z.output<typeof transferReceipt>;

export const transferStablecoin = defineKind({
  order: transferOrder,
  receipt: transferReceipt,
  idWord: 'transfer',
  does: 'sends an amount of a token from a wallet to an address',
  example: {
    from: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
    to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
    amount: '12.50',
    token: 'USDC',
  },
  sentence: ({ amount, token, to, from, exchange: kept }) => {
    const asked = kept === undefined ? '' : ` (${exchangeInWords(kept)})`;
    return `Pay ${amount} ${brief(token)}${asked} to ${brief(to)} from ${brief(from)}`;
  },
  writes: ({ amount, token, to }, { wallet: from }) => [
    {
      path: 'transfer/1',
      doing: transferOf(amount, token, to),
      makes: 'transfer',
      from,
      to,
      amount,
    },
  ],
  notes: ({ exchange: kept, amount, token }) =>
    kept === undefined ? [] : [`${exchangeInWords(kept)}, is ${amount} ${token}.`],
});
