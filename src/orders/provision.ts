import { z } from 'zod';
import { accountTypes } from '../custody/wallet';
import { everyOrder } from './fields';

const walletName = z.string().min(1).max(100);
export const accountType = z.enum(accountTypes).default('SCA');

/** Creates a wallet set and wallets in it. */
export const provisionOrder = z.strictObject({
  name: walletName,
  count: z.int().min(1).max(200).default(1),
  accountType,
  ...everyOrder,
});
export type ProvisionOrder = z.input<typeof provisionOrder>;

export const provisionedWallet = z.object({
  walletId: z.string(),
  address: z.string(),
  accountType: z.string(),
});
export type ProvisionedWallet = z.output<typeof provisionedWallet>;

export const provisionReceipt = z.object({
  walletSetId: z.string(),
  wallets: z.array(provisionedWallet),
});
export type ProvisionReceipt = z.output<typeof provisionReceipt>;
