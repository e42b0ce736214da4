import type { PayoutTerms } from '../../activities/payout/shardOrder';
import { sumOfSums, type Tally } from '../../src/orders/payout/tally';
import type { LiveOrder } from '../order/liveOrder';
import type { Part, PayoutBook } from './records';

export type LivePayout = LiveOrder<'payout'>;

export function bookOf({ carried }: LivePayout): PayoutBook {
  carried.payout ??= { parts: {}, sealed: false, warnings: [], taking: [], pace: [] };
  return carried.payout;
}

/** The parts in their order. */
export function partsOf(book: PayoutBook): Part[] {
  return Object.values(book.parts).sort((one, other) => one.part - other.part);
}

/** What all shards of this payout share. */
export function termsOf(live: LivePayout, workflowId: string): PayoutTerms {
  const { order, blockchain, nativeTwins, keyLifetimeMs, lookupGraceMs } = live.opened;
  const { checksReceipts, memory, wallets } = live.opened;
  const { feeLevel, validUntil, reservePerWallet: reserve } = order;
  return {
    workflowId,
    wallets,
    feeLevel,
    validUntil,
    reserve,
    blockchain,
    nativeTwins,
    baseUrl: memory.baseUrl,
    keyLifetimeMs,
    lookupGraceMs,
    checksReceipts,
  };
}

/** The counts of a part. All of its lines wait until its shard was heard of. */
export function tallyOfPart({ lines, report, result }: Part): Tally {
  const nothing = { paid: 0, failed: 0, unknown: 0, skipped: 0, amounts: {} };
  return (result ?? report)?.tally ?? { lines, ...nothing };
}

/** True once the result of its shard is taken over, and no retry has started it again since. */
export function isOver({ result, mustSee }: Part): boolean {
  return result !== undefined && mustSee !== true;
}

/** What all parts have come to, together. */
export function wholeTally(book: PayoutBook): Tally {
  const tallies = partsOf(book).map(tallyOfPart);
  const sum = (field: Exclude<keyof Tally, 'amounts'>): number =>
    tallies.reduce((total, tally) => total + tally[field], 0);
  return {
    lines: sum('lines'),
    paid: sum('paid'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    skipped: sum('skipped'),
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
