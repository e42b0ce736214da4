import { z } from 'zod';
import { amountOrNothing, everyOrder, token, walletId, walletReference } from './input/fields';
import { settlement } from './input/settlement';
import { brief, defineKind } from './kind';
import { collectionOf, counted } from './progress/doing';

/** Longest list of wallets. */
const sweptMax = 50;

/** Collects what wallets hold of a token into one of ours. */
const sweepOrder = z
  .strictObject({
    wallets: z
      .array(walletId)
      .min(1)
      .max(sweptMax)
      .describe('The wallets whose holdings are collected.'),
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

const sweepReceipt = z.object({
  into: z.string(),
  token: z.string(),
  total: z.string().describe("What was collected altogether, in the token's own units."),
  collected: z.array(settlement.extend(swept.shape)),
  left: z
    .array(z.object({ ...swept.shape, why: z.string() }))
    .describe('Wallets that were left as they are, with their holdings and the reason.'),
});
export type SweepReceipt = z.output<typeof sweepReceipt>;

export const sweepWallets = defineKind({
  order: sweepOrder,
  receipt: sweepReceipt,
  idWord: 'sweep',
  does:
    'collects the balances of up to 50 wallets, in one token, into one of your wallets; each keeps ' +
    'what it needs for its fees',
  example: {
    wallets: ['0c3f3d3e-1111-4222-8333-4444aaaa6666', '0c3f3d3e-1111-4222-8333-4444aaaa7777'],
    into: { walletAddress: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d' },
    token: 'USDC',
  },
  sentence: ({ wallets, into, token }) =>
    `Collect ${brief(token)} of ${counted(wallets.length, 'wallet')} into ${brief(into)}`,
  writes: ({ wallets, token }, { wallet: into, wallets: swept = [] }) =>
    wallets.map((id, index) => ({
      path: `sweep/${index + 1}`,
      doing: collectionOf(token, swept[index]?.address ?? id),
      makes: 'transfer',
      from: swept[index],
      to: into?.address ?? '',
    })),
  items: new RegExp(`^(${Array.from({ length: sweptMax }, (_, at) => at + 1).join('|')})$`),
  notes: () => ['A wallet that holds no more than it keeps is left as it is.'],
});
