import { z } from 'zod';

/** A contract record. Its status is PENDING, then COMPLETE or FAILED. */
export const contractSchema = z.object({
  id: z.string(),
  blockchain: z.string(),
  status: z.string(),
  contractAddress: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  contractInputType: z.string().optional(),
  archived: z.boolean().optional(),
  verificationStatus: z.string().optional(),
  sourceCode: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  events: z.array(z.unknown()).nullish(),
  abiJson: z.string().optional(),
  deployerAddress: z.string().optional(),
  deployerWalletID: z.string().optional(),
  deploymentTransactionId: z.string().optional(),
  deploymentErrorReason: z.string().optional(),
  deploymentErrorDetails: z.string().optional(),
  txHash: z.string().optional(),
  createDate: z.string().optional(),
  updateDate: z.string().optional(),
});
export type Contract = z.output<typeof contractSchema>;
