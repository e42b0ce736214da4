import { z } from 'zod';
import { address, amount, everyOrder, walletId } from './fields';
import type { Settlement } from './settlement';

/** Mints an amount of a fungible token that the wallet may mint. */
export const mintOrder = z.strictObject({
  walletId,
  contractAddress: address,
  to: address,
  amount,
  ...everyOrder,
});
export type MintOrder = z.input<typeof mintOrder>;

export type MintReceipt = Settlement & {
  contractAddress: string;
  to: string;
  amount: string;
  /** Total supply in the token's units, as read before the mint and after it had settled. */
  supply: { before: string; after: string };
};
