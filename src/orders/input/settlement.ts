import { z } from 'zod';

/** Fields of every settled transaction in a receipt. */
export const settlement = z.object({
  transactionId: z.string(),
  state: z.literal('COMPLETE'),
  txHash: z.string(),
  blockHeight: z.number().optional(),
  networkFee: z.string().optional().describe('In the native coin, decimal.'),
  key: z.string().describe('The idempotency key it was sent under.'),
  settledAt: z.string(),
  looks: z.number().describe('How often the transaction was read until it was final.'),
});
export type Settlement = z.output<typeof settlement>;
