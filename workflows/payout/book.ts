import { sumOfBatched, sumOfSums, type Tally } from '../../src/orders/payout/tally';
import type { LiveOrder } from '../order/liveOrder';
import { wasReset } from '../write/reset';
import type { Part, PayoutBook } from './records';

export type LivePayout = LiveOrder<'payout'>;

/** Gives a payout its book. A run that continues has that of the run before. */
export function beginBook({ carried }: LivePayout): void {
  carried.payout ??= { parts: {}, sealed: false, warnings: [], checking: [] };
}

export function bookOf({ carried: { payout } }: LivePayout): PayoutBook {
  if (payout === undefined) throw new Error('A payout has its book before it does anything else.');
  return payout;
}

/** The parts in their order. */
export function partsOf({ carried }: LivePayout): Part[] {
  const parts = Object.values(carried.payout?.parts ?? {});
  return parts.sort((one, other) => one.part - other.part);
}

/** True if an earlier run of the payout may have sent lines. */
export function mayHavePaid(live: LivePayout): boolean {
  return live.opened.earlier.others === 'ambiguous' || wasReset(live);
}

/** True once the result of its shard is kept, and no retry has started it again since. */
export function isPartOver({ result, mustSee }: Part): boolean {
  return result !== undefined && mustSee !== true;
}

/** The counts of a part. All of its lines wait until its shard was heard of. */
export function tallyOfPart({ lines, report, result }: Part): Tally {
  const nothing = { paid: 0, failed: 0, unknown: 0, skipped: 0, amounts: {} };
  return (result ?? report)?.tally ?? { lines, ...nothing };
}

/** The lines that may be sent a second. Null is as many as the service accepts. */
export function rateOf(live: LivePayout): number | null {
  const { linesPerS = live.opened.order.linesPerS ?? null } = bookOf(live);
  return linesPerS;
}

/** The lines of all parts by outcome, and the sums ordered and paid by token. */
export function countsOf(live: LivePayout) {
  const parts = partsOf(live);
  const tallies = parts.map(tallyOfPart);
  const sum = (field: Exclude<keyof Tally, 'amounts' | 'batched'>): number =>
    tallies.reduce((total, tally) => total + (tally[field] ?? 0), 0);
  const ordered = sumOfSums(parts.map(({ totals }) => totals));
  const paid = sumOfSums(tallies.map(({ amounts }) => amounts));
  return {
    lines: sum('lines'),
    paid: sum('paid'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    skipped: sum('skipped'),
    skippedAlone: sum('skippedAlone') || undefined,
    ...sumOfBatched(tallies),
    totals: Object.fromEntries(
      Object.entries(ordered).map(([token, amount]) => [
        token,
        { ordered: amount, paid: paid[token] ?? '0' },
      ]),
    ),
  };
}
