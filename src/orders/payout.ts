import { z } from 'zod';
import { checkExchange } from './exchange/exchanged';
import { checkedLines } from './input/checkedLines';
import {
  amount,
  amountOrNothing,
  checkDecimals,
  checkRecipient,
  everyOrder,
  recipient,
  token,
  walletId,
} from './input/fields';
import { grounds } from './input/settlement';
import { defineKind } from './kind';
import { howToSend } from './payout/howToSend';
import { keptBeside, lineBeside, linePlace } from './payout/lineBeside';
import { notesOf } from './payout/notes';
import { rateMax, rateMin } from './payout/rate';
import { partLinesMax } from './payout/tally';
import { counted, transferOf } from './progress/doing';

/** Number of lines that an order itself has room for. More lines come by `addLines`. */
export const ownLinesMax = 2_500;
const partsMax = 2_000;
const walletsMax = 100;
const openLinesMax = 5_000;
const digitsMax = 200;

export const payoutIdMax = 64;
const idForm = new RegExp(`^[A-Za-z0-9._:-]{1,${payoutIdMax}}$`);
const idFault = `must be 1 to ${payoutIdMax} letters, digits and . _ : -`;

const lineId = z.string().regex(idForm, { error: idFault });
const lines = z.int().min(0);

/** One payment of a payout. */
export const payoutLine = z
  .strictObject({
    lineId: lineId.describe(
      "The caller's own id of the payment. No two lines of a payout share one.",
    ),
    to: recipient,
    amount,
    token,
    ...lineBeside,
  })
  .superRefine(checkDecimals)
  .superRefine(checkRecipient)
  .superRefine(checkExchange);
export type PayoutLine = z.input<typeof payoutLine>;
export type ReadLine = z.output<typeof payoutLine>;

const totals = z.record(token, amount);

/** Pays many lines from one or more wallets. Lines that are not in it come by `addLines`. */
export const payoutOrder = z
  .strictObject({
    payoutId: z
      .string()
      .regex(idForm, { error: idFault })
      .describe(
        'The id of its workflow is "payout:" and this. Another id pays the same lines again.',
      ),
    wallets: z
      .array(walletId)
      .min(1)
      .max(walletsMax)
      .describe('The paying wallets. The id of a line decides which of them pays it.'),
    lines: z
      .array(payoutLine)
      .min(1)
      .max(ownLinesMax)
      .optional()
      .describe('All lines, if they are not too many. They are sealed at once.'),
    maxTotal: totals.optional().describe('The largest sum of the lines of each token.'),
    reservePerWallet: amountOrNothing
      .optional()
      .describe(
        'Amount that each wallet keeps of each token. A line that would need more waits, ' +
          'and shards pay one after another.',
      ),
    strict: z
      .boolean()
      .optional()
      .describe('Refuses the lines if a check of them finds something. Without it, they are paid.'),
    openMax: z
      .int()
      .min(1)
      .max(openLinesMax)
      .optional()
      .describe(
        'The largest number of lines that are pending at a time. Default: 250, in batches 2500.',
      ),
    linesPerS: z
      .number()
      .min(rateMin)
      .max(rateMax)
      .optional()
      .describe('Lines sent per second. Without it, as many as the service accepts.'),
    ...howToSend,
    ...everyOrder,
  })
  .superRefine((order, context) => {
    const twice = (path: string, ids: readonly string[], field: string[] = []) => {
      const at = ids.findIndex((id, index) => ids.indexOf(id) !== index);
      const message = 'is in the list twice';
      if (at !== -1) context.addIssue({ code: 'custom', path: [path, at, ...field], message });
    };
    twice('wallets', order.wallets);
    twice('lines', order.lines?.map((line) => line.lineId) ?? [], ['lineId']);
  });
export type ReadPayout = z.output<typeof payoutOrder>;

/** Input of the update `addLines`: one part of the lines, counted from 1. */
export const payoutPart = z.strictObject({
  part: z.int().min(1).max(partsMax),
  lines: z.array(payoutLine).min(1).max(partLinesMax),
});
export type PayoutPart = z.input<typeof payoutPart>;

/** Input of the update `seal`: the number and the sums of all parts, and what they hold. */
export const payoutSeal = z.strictObject({
  parts: z.int().min(1).max(partsMax),
  totals: totals.describe("What all lines of each token come to, in the token's own units."),
  root: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .describe("The hash of all parts' hashes. Without it, lines of another call may be sealed."),
});
export type PayoutSeal = z.input<typeof payoutSeal>;

/** Outcomes of a line. All are final except `waiting`, and `unknown`, which a person decides. */
export const lineOutcomes = ['paid', 'failed', 'unknown', 'skipped', 'waiting'] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

const mark = (means: string) => z.boolean().optional().describe(`True if ${means}`);

/** One line and its outcome. */
export const lineResult = z.object({
  lineId: z.string(),
  to: z.string(),
  amount: z.string().max(digitsMax),
  token: z.string(),
  outcome: z.enum(lineOutcomes),
  walletAddress: z.string().describe('The address of the paying wallet.'),
  walletId: z.string().optional().describe('Its id, where the payout gives the line another one.'),
  ...keptBeside,
  generation: z.int().describe('Number of retries under a new key.'),
  transactionId: z.string().optional(),
  txHash: z.string().optional(),
  networkFee: z
    .string()
    .optional()
    .describe('In the native coin. A line of a batch has its share. All shares are the fee.'),
  settledAt: z.string().optional().describe("The last change of its transaction's record."),
  batch: z.string().optional().describe('The batch that it was paid with, or is to be.'),
  gasSaved: z.int().optional().describe('Estimated gas that a transfer alone would cost more.'),
  grounds: grounds.optional().describe('With a policy: the reasons for which it was let out.'),
  reason: z.string().optional().describe('The reason why it was not paid, or what it waits for.'),
  givenUp: mark('a person has given up an unknown line. It waits for nothing more.'),
  isUnsent: mark('no attempt at a waiting or skipped line was made.'),
  isHeld: mark('requests of an ended run may be under way. It is looked up later.'),
  place: linePlace
    .optional()
    .describe('Its place on the chain, until its receipt is in the archive.'),
  isSkippedAlone: mark('a person has skipped this line. Its payout is continued without it.'),
  isCancelled: mark('a waiting line is to be skipped, unless it was sent before.'),
  isProven: mark('it is known of a retried line that the attempt before had no effect.'),
});
export type LineResult = z.output<typeof lineResult>;

/** Sums by token. */
const sums = z.record(z.string(), z.string());
const counts = {
  lines,
  paid: lines,
  failed: lines,
  unknown: lines,
  skipped: lines,
  skippedAlone: lines.optional().describe('Skipped lines that a person has skipped alone.'),
  batched: z
    .object({ lines, batches: lines, gasSaved: lines })
    .optional()
    .describe('The lines that were paid in batches, and the estimated gas that this has saved.'),
};

export const payoutReceipt = z.object({
  payoutId: z.string(),
  ...counts,
  totals: z
    .record(z.string(), z.object({ ordered: z.string(), paid: z.string() }))
    .describe("By token, in the token's own units."),
  parts: z
    .array(
      z.object({
        part: z.int(),
        shardId: z.string(),
        ...counts,
        ordered: sums,
        amounts: sums,
        hash: z.string().describe('The hash of the lines as handed over, without results.'),
        runId: z.string().describe('The run of the shard that these counts are from.'),
        digest: z.string().describe('The digest of the lines in the result of that run.'),
      }),
    )
    .describe('Each part has a workflow of its own, which tells of every line.'),
  warnings: z.array(z.string()),
  checks: checkedLines.optional().describe('The checks of its lines, from the run that sealed it.'),
  stopped: z.string().optional().describe('The reason if it was stopped before all were sent.'),
});
export type PayoutReceipt = z.output<typeof payoutReceipt>;

export const payout = defineKind({
  order: payoutOrder,
  receipt: payoutReceipt,
  idWord: 'payout',
  does:
    'pays many lines from one or more wallets, each line once; lines come in the order or part by ' +
    'part',
  example: {
    payoutId: '2026-01',
    wallets: ['0c3f3d3e-1111-4222-8333-4444aaaa6666'],
    lines: [
      {
        lineId: 'a-1',
        to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
        amount: '12.50',
        token: 'USDC',
      },
    ],
  },
  sentence: ({ payoutId, lines, wallets }) => {
    const many = lines === undefined ? 'lines' : counted(lines.length, 'line');
    return `Pay ${many} of "${payoutId}" from ${counted(wallets.length, 'wallet')}`;
  },
  // Its shards decide which wallet pays a line, and look each line up before they send it.
  writes: ({ lines = [] }) =>
    lines.slice(0, partLinesMax).map(({ lineId, amount, token, to }) => ({
      path: `line/${lineId}`,
      doing: transferOf(amount, token, to),
      makes: 'transfer',
      to,
      amount,
    })),
  manyWrites: 'line/<lineId>',
  items: idForm,
  notes: notesOf,
});
