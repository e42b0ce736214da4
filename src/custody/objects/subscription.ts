import { z } from 'zod';

/** The types of notices. A category's asterisk stands for all of it, `*` for everything. */
export const notificationTypes = [
  '*',
  'transactions.*',
  'transactions.inbound',
  'transactions.outbound',
  'challenges.*',
  'challenges.accelerateTransaction',
  'challenges.cancelTransaction',
  'challenges.changePin',
  'challenges.contractExecution',
  'challenges.createTransaction',
  'challenges.createWallet',
  'challenges.initialize',
  'challenges.restorePin',
  'challenges.setPin',
  'challenges.setSecurityQuestions',
  'contracts.*',
  'contracts.eventLog',
  'modularWallet.*',
  'modularWallet.userOperation',
  'modularWallet.inboundTransfer',
  'modularWallet.outboundTransfer',
  'travelRule.*',
  'travelRule.statusUpdate',
  'travelRule.deny',
  'travelRule.approve',
  'rampSession.*',
  'rampSession.completed',
  'rampSession.depositReceived',
  'rampSession.expired',
  'rampSession.failed',
  'rampSession.kycApproved',
  'rampSession.kycRejected',
  'rampSession.kycSubmitted',
] as const;

/** A subscription: its types of notices, and the address that receives them. */
export const subscriptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  enabled: z.boolean(),
  createDate: z.string(),
  updateDate: z.string(),
  notificationTypes: z.array(z.string()).optional(),
  /** False where it is told of everything. */
  restricted: z.boolean().optional(),
});
export type Subscription = z.output<typeof subscriptionSchema>;

/** A key that notices are signed with. It never changes for its id. */
export const notificationKeySchema = z.object({
  id: z.string(),
  /** ECDSA_SHA_256: on the curve P-256, signatures in DER. */
  algorithm: z.string(),
  /** SPKI in DER, as base64. */
  publicKey: z.string(),
  createDate: z.string(),
});
export type NotificationKey = z.output<typeof notificationKeySchema>;
