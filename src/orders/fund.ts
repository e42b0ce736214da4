import { z } from 'zod';
import { amount, checkDecimals, everyOrder, token, walletReference } from './fields';

/**
 * Where the money comes from: the test network's faucet, another wallet of ours, or anyone, in
 * which case the order says what to send where and waits, for days if need be.
 */
export const fundSource = z
  .union([z.literal('faucet'), z.literal('external'), walletReference], {
    error: 'must be "faucet", "external" or the treasury wallet as {"walletId": "<uuid>"}',
  })
  .default('faucet');

/** Sees to it that a wallet holds at least an amount of a token. */
export const fundOrder = z
  .strictObject({ wallet: walletReference, amount, token, source: fundSource, ...everyOrder })
  .superRefine(checkDecimals);
export type FundOrder = z.input<typeof fundOrder>;

export const fundReceipt = z.object({
  walletId: z.string(),
  address: z.string(),
  token: z.string(),
  balance: z.string().describe('What the wallet held when it was enough.'),
  source: z
    .enum(['none', 'faucet', 'external', 'treasury'])
    .describe(
      'Where it came from in the end; none was needed when the wallet held enough already.',
    ),
  looks: z.number(),
});
export type FundReceipt = z.output<typeof fundReceipt>;
