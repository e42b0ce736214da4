import { z } from 'zod';

export const accountTypes = ['SCA', 'EOA'] as const;

/** The smart-account implementations that wallets can be looked for by. */
export const scaCores = [
  'circle_4337_v1',
  'circle_6900_singleowner_v1',
  'circle_6900_singleowner_v2',
  'circle_6900_singleowner_v3',
] as const;

/** The smart-account implementation of new wallets on Arc. */
export const newestScaCore = 'circle_6900_singleowner_v3';

/** The versions that a smart account can be upgraded to. */
export const newScaCores = ['circle_6900_singleowner_v2'] as const;

export const walletSetSchema = z.object({
  id: z.string(),
  custodyType: z.string().optional(),
  name: z.string().optional(),
  createDate: z.string().optional(),
  updateDate: z.string().optional(),
});
export type WalletSet = z.output<typeof walletSetSchema>;

export const walletSchema = z.object({
  id: z.string(),
  state: z.string(),
  walletSetId: z.string(),
  custodyType: z.string(),
  address: z.string(),
  blockchain: z.string(),
  accountType: z.string().optional(),
  /** The smart-account implementation. An open string, since versions appear over time. */
  scaCore: z.string().optional(),
  refId: z.string().optional(),
  name: z.string().optional(),
  createDate: z.string(),
  updateDate: z.string(),
});
export type Wallet = z.output<typeof walletSchema>;
