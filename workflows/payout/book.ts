import type { AddedPart } from '../../activities/payout/addPart';
import type { PayoutTerms } from '../../activities/payout/shardOrder';
import { sumOfSums, type Tally } from '../../src/orders/tally';
import { named } from '../named';
import type { Run } from '../run';
import type { ShardReport } from '../shard/report';
import type { Steer } from '../shard/shard';

/** A part of a payout: what it holds in all, and where its shard stands. No lines. */
export type Part = Omit<AddedPart, 'hash'> & {
  /** Of its lines; not known of a part that an earlier run has paid. */
  hash?: string;
  /** What its shard was told last. */
  steer?: Steer;
  report?: ShardReport;
  /** Since when it may send. */
  turnAtMs?: number;
  /** When its shard was heard of last. */
  heardAtMs: number;
};

/** What a payout knows. Carried from run to run, so that it is small: no part's lines are in it. */
export type PayoutBook = {
  parts: Record<string, Part>;
  /** Nothing is paid before. */
  sealed: boolean;
  warnings: string[];
  /** Parts that are being taken: a seal waits for them, as after a reset all are told at once. */
  taking: number[];
  /** What somebody has set since the start; null is no limit. */
  linesPerS?: number | null;
  /** How many lines had come to an end, and when: what the rate follows from. */
  pace: { atMs: number; ended: number }[];
};

export type PayoutRun = Run<'payout'>;

export function bookOf({ carried }: PayoutRun): PayoutBook {
  carried.payout ??= { parts: {}, sealed: false, warnings: [], taking: [], pace: [] };
  return carried.payout;
}

/** The parts in their order. */
export function partsOf(book: PayoutBook): Part[] {
  return Object.values(book.parts).sort((one, other) => one.part - other.part);
}

/** What all shards of this payout share. */
export function termsOf(run: PayoutRun, workflowId: string): PayoutTerms {
  const { order, blockchain, nativeTwins, keyLifetimeMs, lookupGraceMs } = run.opened;
  const { checksReceipts, memory } = run.opened;
  const { feeLevel, validUntil, reservePerWallet: reserve } = order;
  const { wallets } = named(run.opened, 'wallets');
  return {
    ...{ workflowId, wallets, feeLevel, validUntil, reserve, blockchain, nativeTwins },
    ...{ baseUrl: memory.baseUrl, keyLifetimeMs, lookupGraceMs, checksReceipts },
  };
}

/** What a part has come to; before its shard was heard of, nothing. */
export function tallyOfPart({ lines, report }: Part): Tally {
  const nothing = { paid: 0, failed: 0, unknown: 0, skipped: 0, amounts: {} };
  return report?.tally ?? { lines, ...nothing };
}

export function isOver({ report }: Part): boolean {
  return report?.stage === 'over';
}

/** What all parts have come to, together. */
export function wholeTally(book: PayoutBook): Tally {
  const tallies = partsOf(book).map(tallyOfPart);
  const sum = (field: Exclude<keyof Tally, 'amounts'>): number =>
    tallies.reduce((total, tally) => total + tally[field], 0);
  return {
    ...{ lines: sum('lines'), paid: sum('paid'), failed: sum('failed') },
    ...{ unknown: sum('unknown'), skipped: sum('skipped') },
    amounts: sumOfSums(tallies.map(({ amounts }) => amounts)),
  };
}

/** What was ordered and what was paid, by token. */
export function totalsOf(book: PayoutBook): Record<string, { ordered: string; paid: string }> {
  const ordered = sumOfSums(partsOf(book).map(({ totals }) => totals));
  const { amounts } = wholeTally(book);
  return Object.fromEntries(
    Object.entries(ordered).map(([token, amount]) => [
      token,
      { ordered: amount, paid: amounts[token] ?? '0' },
    ]),
  );
}
