import { z } from 'zod';

/** A write that an order would make, as a dry run tells it. */
const plannedWrite = z.object({
  target: z.string().describe('"<step>/<item>#<generation>", as in progress and in resolve.'),
  doing: z.string().describe('What it does, in words.'),
  key: z.string().describe('The idempotency key it would be sent under.'),
});
export type PlannedWrite = z.output<typeof plannedWrite>;

const fee = z.object({
  networkFee: z.string().describe('In the native coin, decimal, at the fee level of the order.'),
  gasLimit: z.string(),
  paidBy: z.enum(['wallet', 'paymaster']),
});
export type Fee = z.output<typeof fee>;

/** The result of a dry run: what the order would do. Nothing of it was done. */
export const planSchema = z.object({
  dryRun: z.literal(true),
  workflowId: z.string().describe('The id that the order itself would have.'),
  kind: z.string(),
  writes: z.array(plannedWrite).describe('In the order in which they would be made.'),
  fee: fee
    .optional()
    .describe('Of the first write, where what it needs is there already, so that it can be told.'),
  notes: z
    .array(z.string())
    .describe('What else would happen or be waited for, and why nothing would be sent, if so.'),
});
export type Plan = z.output<typeof planSchema>;

/** Start of a dry run's id, before the id of the order itself. */
export const dryPrefix = 'dry:';
