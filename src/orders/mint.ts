import { z } from 'zod';
import { address, amount, everyOrder, recipient, walletId } from './fields';
import { settlement } from './settlement';

/** Mints an amount of a fungible token that the wallet may mint. */
export const mintOrder = z.strictObject({
  walletId,
  contractAddress: address,
  to: recipient,
  amount,
  ...everyOrder,
});
export type MintOrder = z.input<typeof mintOrder>;

export const mintReceipt = settlement.extend({
  contractAddress: z.string(),
  to: z.string(),
  amount: z.string(),
  supply: z
    .object({ before: z.string(), after: z.string() })
    .describe("Total supply in the token's units, read before the mint and after it had settled."),
});
export type MintReceipt = z.output<typeof mintReceipt>;
