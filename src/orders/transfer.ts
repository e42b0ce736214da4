import { z } from 'zod';
import { address, amount, checkDecimals, everyOrder, token, walletReference } from './fields';
import type { Settlement } from './settlement';

/** Sends an amount of a token from a wallet of the service to any address. */
export const transferOrder = z
  .strictObject({ from: walletReference, to: address, amount, token, ...everyOrder })
  .superRefine(checkDecimals);
export type TransferOrder = z.input<typeof transferOrder>;

/** What a settled transfer leaves behind. */
export type TransferReceipt = Settlement & {
  from: string;
  to: string;
  amount: string;
  token: string;
};
