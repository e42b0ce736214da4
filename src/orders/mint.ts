import { z } from 'zod';
import { address, amount, everyOrder, walletId } from './fields';

/** Mints an amount of a fungible token that the wallet may mint. */
export const mintOrder = z.strictObject({
  walletId,
  contractAddress: address,
  to: address,
  amount,
  ...everyOrder,
});
export type MintOrder = z.input<typeof mintOrder>;

export type MintReceipt = {
  transactionId: string;
  state: string;
  txHash: string;
  blockHeight: number | undefined;
  networkFee: string | undefined;
  contractAddress: string;
  to: string;
  amount: string;
  /** Total supply in the token's units, as read before the mint and after it had settled. */
  supply: { before: string; after: string };
  key: string;
  settledAt: string;
  looks: number;
};
