import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';

/** The notice of a transaction's end: it came, or the order expects it and polls meanwhile. */
export type Notice = 'came' | 'awaited';

/** One worker's view of the question if notices of the service reach orders. */
export type NoticeSense = ReturnType<typeof createNoticeSense>;

/** An account that is quiet for so long may have lost its notices. One more poll finds out. */
const believedMs = 600_000;
/** A notice that comes later than this has missed. */
const lateMs = 3_000;

/**
 * Learns from the orders themselves. Notices arrive if one came lately, and no order has found an
 * end by a poll since. A wrong guess costs some seconds, or some polls.
 */
export function createNoticeSense() {
  let cameAtMs: number | undefined;
  return {
    arrive: (): boolean => cameAtMs !== undefined && Date.now() - cameAtMs < believedMs,
    /** Hears of a poll: whether its order had a notice, and the record that it found. */
    polled: (notice: Notice, record: Pick<Transaction, 'state' | 'updateDate'>): void => {
      if (notice === 'came') cameAtMs = Date.now();
      else if (isMissed(record)) cameAtMs = undefined;
    },
  };
}

function isMissed({ state, updateDate }: Pick<Transaction, 'state' | 'updateDate'>): boolean {
  return finalState(state) !== undefined && Date.now() - Date.parse(updateDate) > lateMs;
}
