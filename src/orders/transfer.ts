import { z } from 'zod';
import { address, amount, checkDecimals, everyOrder, token, walletReference } from './fields';

/** Sends an amount of a token from a wallet of the service to any address. */
export const transferOrder = z
  .strictObject({ from: walletReference, to: address, amount, token, ...everyOrder })
  .superRefine(checkDecimals);
export type TransferOrder = z.input<typeof transferOrder>;

/** What a settled transfer leaves behind. */
export type TransferReceipt = {
  transactionId: string;
  state: string;
  txHash: string;
  blockHeight: number | undefined;
  /** In the native coin, decimal. */
  networkFee: string | undefined;
  from: string;
  to: string;
  amount: string;
  token: string;
  /** The idempotency key it was sent under. */
  key: string;
  settledAt: string;
  /** How often the service was asked before it had settled. */
  looks: number;
};
