import { z } from 'zod';
import {
  amount,
  amountOrNothing,
  checkDecimals,
  everyOrder,
  recipient,
  token,
  walletId,
} from './fields';
import { rateMax } from './rate';
import { partLinesMax } from './tally';

/** As many lines as an order itself has room for; more of them come by `addLines`. */
export const ownLinesMax = 2_500;
const partsMax = 2_000;
const walletsMax = 100;
const openLinesMax = 5_000;
/** More than the hosted limits can keep busy, and as many as one shard has. */
const openLinesUsual = 250;
/** The slowest pace of a payout, in lines a second. */
export const rateMin = 0.01;
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
      "The caller's own id of the payment; no two lines of a payout share one.",
    ),
    to: recipient,
    amount,
    token,
  })
  .superRefine(checkDecimals);
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
      .describe('Who pays. Which of them pays a line follows from the id of the line.'),
    lines: z
      .array(payoutLine)
      .min(1)
      .max(ownLinesMax)
      .optional()
      .describe('All lines, where they are not too many; they are sealed at once.'),
    maxTotal: totals.optional().describe('The most that the lines of each token may come to.'),
    reservePerWallet: amountOrNothing
      .optional()
      .describe(
        'What each wallet keeps of each token that is paid. A line that would take from it waits, ' +
          'and shards pay one after another.',
      ),
    strict: z
      .boolean()
      .optional()
      .describe('Refuses what is else only warned of: two lines alike but for their ids.'),
    openMax: z
      .int()
      .min(1)
      .max(openLinesMax)
      .default(openLinesUsual)
      .describe('How many lines may be under way at a time.'),
    linesPerS: z
      .number()
      .min(rateMin)
      .max(rateMax)
      .optional()
      .describe('How many lines are sent in a second; as many as the service takes, unless said.'),
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
export type PayoutOrder = z.input<typeof payoutOrder>;
export type ReadPayout = z.output<typeof payoutOrder>;

/** What update `addLines` takes: one part of the lines, counted from 1. */
export const payoutPart = z.strictObject({
  part: z.int().min(1).max(partsMax),
  lines: z.array(payoutLine).min(1).max(partLinesMax),
});
export type PayoutPart = z.input<typeof payoutPart>;

/** What update `seal` takes: how many parts there are, and what the lines of each token come to. */
export const payoutSeal = z.strictObject({
  parts: z.int().min(1).max(partsMax),
  totals: totals.describe("What all lines of each token come to, in the token's own units."),
});
export type PayoutSeal = z.input<typeof payoutSeal>;

/** What a line has come to: final, but for `waiting`, and for `unknown`, which a person decides. */
export const lineOutcomes = ['paid', 'failed', 'unknown', 'skipped', 'waiting'] as const;
export type LineOutcome = (typeof lineOutcomes)[number];

/** One line, and what it has come to. */
export const lineResult = z.object({
  lineId: z.string(),
  to: z.string(),
  amount: z.string().max(digitsMax),
  token: z.string(),
  outcome: z.enum(lineOutcomes),
  walletAddress: z.string().describe('Who pays it.'),
  generation: z.int().describe('How often it was attempted anew.'),
  transactionId: z.string().optional(),
  txHash: z.string().optional(),
  reason: z.string().optional().describe('Why it was not paid, or what it waits for.'),
  givenUp: z
    .boolean()
    .optional()
    .describe('Of an unknown line: somebody has given it up, so that it waits for nothing more.'),
});
export type LineResult = z.output<typeof lineResult>;

/** By token. */
const sums = z.record(z.string(), z.string());
const counts = { lines, paid: lines, failed: lines, unknown: lines, skipped: lines };

export const payoutReceipt = z.object({
  payoutId: z.string(),
  ...counts,
  totals: z
    .record(z.string(), z.object({ ordered: z.string(), paid: z.string() }))
    .describe("By token, in the token's own units."),
  parts: z
    .array(
      z.object({ part: z.int(), shardId: z.string(), ...counts, ordered: sums, amounts: sums }),
    )
    .describe('Each part has a workflow of its own, which tells of every line.'),
  warnings: z.array(z.string()),
  stopped: z.string().optional().describe('Why it was stopped before all lines were sent, if so.'),
});
export type PayoutReceipt = z.output<typeof payoutReceipt>;
