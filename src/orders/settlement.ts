import { z } from 'zod';

/** What every settled transaction leaves in its receipt. */
export const settlement = z.object({
  transactionId: z.string(),
  state: z.literal('COMPLETE'),
  txHash: z.string(),
  blockHeight: z.number().optional(),
  networkFee: z.string().optional().describe('In the native coin, decimal.'),
  key: z.string().describe('The idempotency key it was sent under.'),
  settledAt: z.string(),
  looks: z.number().describe('How often the service was asked before it had settled.'),
});
export type Settlement = z.output<typeof settlement>;
