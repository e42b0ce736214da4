import { z } from 'zod';
import type { Grounds } from '../../custody/objects/grounds';

/** The grounds of a policy in a receipt. */
export const grounds: z.ZodType<Grounds> = z.object({
  policy: z.string().describe('The version of the policy, and its digest.'),
  rules: z.array(z.string()).describe('The limits that count it.'),
  signedBy: z.string().optional().describe('The person who has signed the order.'),
  approvedBy: z.array(z.string()).optional(),
  screened: z
    .record(z.string(), z.enum(['clear', 'review']))
    .optional()
    .describe('The verdict of each screen. People have approved what was to be reviewed.'),
  checked: z
    .object({
      found: z.record(z.string(), z.enum(['clear', 'review'])),
      book: z.string().optional().describe("SHA-256 of the writer's address book."),
    })
    .optional()
    .describe('The verdict of each check. People have approved what was to be reviewed.'),
  seal: z
    .object({ ledger: z.string(), publicKey: z.string(), signature: z.string() })
    .optional()
    .describe('The signature (Ed25519) of the ledger. Its id follows from the public key.'),
});

/** Fields of every settled transaction in a receipt. */
export const settlement = z.object({
  transactionId: z.string(),
  state: z.literal('COMPLETE'),
  txHash: z.string(),
  blockHeight: z.number().optional(),
  networkFee: z.string().optional().describe('In the native coin, decimal.'),
  key: z.string().describe('The idempotency key it was sent under.'),
  grounds: grounds.optional().describe('With a policy: the reasons for which it was let out.'),
  settledAt: z.string(),
  polls: z.number().describe('How often the transaction was read until it was final.'),
});
export type Settlement = z.output<typeof settlement>;
