import { z } from 'zod';
import { payoutReceipt } from '../payout';
import { counted } from './doing';

const payment = z.object({ amount: z.string(), token: z.string(), txHash: z.string() });
const transaction = z.object({ txHash: z.string() });

/** The effect of an order, by its receipt, in words that follow "an earlier run of this id". */
export function paidWords(receipt: unknown): string {
  const many = payoutReceipt.safeParse(receipt).data;
  if (many !== undefined) {
    const sums = Object.entries(many.totals).map(([token, { paid }]) => `${paid} ${token}`);
    return `paid ${sums.join(' and ')} in ${counted(many.paid, 'line')}`;
  }
  const one = payment.safeParse(receipt).data;
  if (one !== undefined) return `paid ${one.amount} ${one.token} in ${one.txHash}`;
  const { txHash } = transaction.safeParse(receipt).data ?? {};
  return txHash === undefined ? 'has completed' : `has completed in ${txHash}`;
}
