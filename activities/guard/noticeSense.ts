import { finalState, noticeLatestMs } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';

/** The notice of a transaction's end: it came, or the order expects it and polls meanwhile. */
export type NoticeState = 'came' | 'awaited';

/** One worker's view of the question if notices of the service reach orders. */
export type NoticeSense = ReturnType<typeof createNoticeSense>;

type Polled = Pick<Transaction, 'state' | 'createDate' | 'updateDate'>;

/** An account that is quiet for this long may have lost its notices. One more poll finds out. */
const believedMs = 600_000;
/** A notice that comes later than this has missed. */
const lateMs = 2_000;
/** Later than late, since the service tells its times to the second. */
const marginMs = 3_000;
const timesMax = 20;
/** The share of transactions that settle before the first poll. */
const mostShare = 0.9;

/**
 * Learns from the orders themselves. Notices arrive if one came lately, and no order has found an
 * end by a poll since. A wrong guess costs some seconds, or some polls.
 */
export function createNoticeSense() {
  let cameAtMs = 0;
  /** The times that the newest transactions took to settle. */
  const settledMs: number[] = [];
  return {
    /** The time by which an order will have its notice. Undefined: it may get none, and polls. */
    withinMs: (): number | undefined => {
      if (Date.now() - cameAtMs >= believedMs) return undefined;
      return Math.min(longest(settledMs) + marginMs, noticeLatestMs);
    },
    /** Hears of a poll: whether its order had a notice, and the record that it found. */
    polled: (notice: NoticeState, record: Polled): void => {
      if (finalState(record.state) === undefined) return;
      if (notice === 'came') {
        cameAtMs = Date.now();
        settledMs.push(Date.parse(record.updateDate) - Date.parse(record.createDate));
        if (settledMs.length > timesMax) settledMs.shift();
      } else if (Date.now() - Date.parse(record.updateDate) > lateMs) cameAtMs = 0;
    },
  };
}

/** The longest of some times, but for a few that stand out. */
function longest(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * mostShare)] ?? 0;
}
