import { z } from 'zod';

/** A monitored event of a contract, by its signature. */
export const eventMonitorSchema = z.object({
  id: z.string(),
  contractId: z.string().optional(),
  contractName: z.string().optional(),
  contractAddress: z.string(),
  blockchain: z.string(),
  eventSignature: z.string(),
  eventSignatureHash: z.string(),
  isEnabled: z.boolean(),
  createDate: z.string(),
  updateDate: z.string(),
});
export type EventMonitor = z.output<typeof eventMonitorSchema>;

/** A log of the chain that a monitor has seen. */
export const eventLogSchema = z.object({
  id: z.string(),
  /** The monitor's id. */
  subscriptionId: z.string().optional(),
  contractId: z.string().optional(),
  contractName: z.string().optional(),
  contractAddress: z.string(),
  blockchain: z.string(),
  txHash: z.string(),
  /** Empty where no smart account has emitted it. */
  userOpHash: z.string(),
  /** A number, as text. */
  logIndex: z.string(),
  blockHash: z.string(),
  blockHeight: z.number(),
  eventSignature: z.string(),
  eventSignatureHash: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  decodedTopics: z.unknown().optional(),
  decodedData: z.unknown().optional(),
  firstConfirmDate: z.string(),
  createDate: z.string().optional(),
  updateDate: z.string().optional(),
});
export type EventLog = z.output<typeof eventLogSchema>;
