import type { Paid } from '../../checks/payment';
import type { ArchivedReceipt, WriteReceipt } from '../receipt';

/** The receipts to read. Without a field, all of them. */
export type ReceiptFilter = {
  /** From this time on, in milliseconds since the epoch. */
  fromMs?: number | undefined;
  /** Before this time. */
  untilMs?: number | undefined;
  orderId?: string | undefined;
  /**
   * A text that stands in the receipt, in any letters. The database looks for its letters of ASCII,
   * so that receipts with others in the place of the rest come, too.
   */
  text?: string | undefined;
};

/** A place in the whole archive. */
export type Head = {
  /** Counted from 1, without a gap. */
  at: number;
  /** SHA-256 of the stamp before it and the receipt's hash, so that nothing can be left out. */
  stamp: string;
};

/** A receipt and its place in the whole archive. */
export type ArchiveEntry = Head & { receipt: ArchivedReceipt };

/**
 * The receipts of all orders, for longer than Temporal and the service remember them. Each call
 * throws an ArchiveError while the archive cannot be used.
 */
export type Archive = {
  /**
   * Adds the receipts that it does not have yet, all or none of them. Each receipt is chained to
   * the last one of its order. A receipt that contradicts an earlier one of its write is added too.
   * Returns how many were new. Throws an ArchiveError for what is no receipt, and adds nothing.
   */
  append(receipts: readonly WriteReceipt[]): Promise<number>;
  /** The receipts that contradict an earlier one of their write, newest first. */
  contradicting(max: number): Promise<ArchivedReceipt[]>;
  /** Reads receipts, sorted by their time. It holds a page of them at a time. */
  receipts(wanted?: ReceiptFilter): AsyncIterable<ArchivedReceipt>;
  /** Reads what was paid, a page at a time, in the order in which the receipts were added. */
  payments(): AsyncIterable<Iterable<Paid>>;
  /** Reads all entries as they are kept, in the order in which they were added. */
  entries(): AsyncIterable<ArchiveEntry>;
  /** Reads the rows from a place on, as the database has them that `receipts` reads. */
  rowsFrom(at: number): AsyncIterable<ArchiveEntry>;
  /** The place of the last row that is before all receipts of a time on. 0 if there is none. */
  rowBefore(timeMs: number): Promise<number>;
  /** The place of the last entry. Undefined for an empty archive. */
  head(): Promise<Head | undefined>;
  close(): Promise<void>;
};

/** The archive cannot be used. The message says why, and what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** A part of an archive is not as it was written. The words name it, as a whole clause. */
export function changedSince(words: string, place = 'the archive'): ArchiveError {
  return new ArchiveError(`${words}: somebody has changed it. Restore ${place} from a backup.`);
}
