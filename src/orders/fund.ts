import { z } from 'zod';
import { amount, checkDecimals, everyOrder, otherwise, token, walletReference } from './fields';

/**
 * Where the money comes from: the test network's faucet, another wallet of ours, or anyone, in
 * which case the order says what to send where and waits, for days if need be.
 */
export const fundSource = z
  .union([z.literal('faucet'), z.literal('external'), walletReference], {
    error: otherwise(
      'must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}',
    ),
  })
  .default('faucet');

/** Sees to it that a wallet holds at least an amount of a token. */
export const fundOrder = z
  .strictObject({ wallet: walletReference, amount, token, source: fundSource, ...everyOrder })
  .superRefine(checkDecimals);
export type FundOrder = z.input<typeof fundOrder>;

export type FundReceipt = {
  walletId: string;
  address: string;
  token: string;
  /** What the wallet held when it was enough. */
  balance: string;
  /** Where it came from in the end: nothing was needed when the wallet held enough already. */
  source: 'none' | 'faucet' | 'external' | 'treasury';
  looks: number;
};
