import { z } from 'zod';
import { amount, checkDecimals, everyOrder, recipient, token, walletReference } from './fields';
import { settlement } from './settlement';

/** Sends an amount of a token from a wallet of the service to any address. */
export const transferOrder = z
  .strictObject({ from: walletReference, to: recipient, amount, token, ...everyOrder })
  .superRefine(checkDecimals);
export type TransferOrder = z.input<typeof transferOrder>;

/** What a settled transfer leaves behind. */
export const transferReceipt = settlement.extend({
  from: z.string(),
  to: z.string(),
  amount: z.string(),
  token: z.string(),
});
export type TransferReceipt = z.output<typeof transferReceipt>;
