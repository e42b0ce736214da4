import { z } from 'zod';
import { amountOrNothing, everyOrder, token, walletId, walletReference } from './fields';
import { settlement } from './settlement';

/** More than that is a payout's work, the other way round. */
export const sweptMax = 50;

/** Collects what wallets hold of a token into one of ours. */
export const sweepOrder = z
  .strictObject({
    wallets: z.array(walletId).min(1).max(sweptMax).describe('Whose holdings are collected.'),
    into: walletReference.describe('The wallet of ours that receives them.'),
    token,
    keep: amountOrNothing
      .optional()
      .describe(
        "What stays in each wallet, in the token's own units. Unless it is said: 0.1 where the " +
          'wallet pays its fees out of that very token, or else nothing.',
      ),
    ...everyOrder,
  })
  .superRefine(({ wallets }, context) => {
    const twice = wallets.findIndex((id, index) => wallets.indexOf(id) !== index);
    if (twice === -1) return;
    const message = 'is in the list twice';
    context.addIssue({ code: 'custom', path: ['wallets', twice], message });
  });
export type SweepOrder = z.input<typeof sweepOrder>;

const swept = z.object({ walletId: z.string(), address: z.string(), amount: z.string() });

export const sweepReceipt = z.object({
  into: z.string(),
  token: z.string(),
  total: z.string().describe("What was collected altogether, in the token's own units."),
  collected: z.array(settlement.extend(swept.shape)),
  left: z
    .array(z.object({ ...swept.shape, why: z.string() }))
    .describe('Wallets of which nothing was taken, with what they held, and why.'),
});
export type SweepReceipt = z.output<typeof sweepReceipt>;
