import { attemptMark, batchedGenerationMax, batchIn, markOf } from '../../../custody/batch';
import { isOfBatch, refHash } from '../../../custody/reference';
import type { ArchivedReceipt } from '../../receipt';
import { namedWrite } from '../../records/reference';
import type { Moved, SentRecord } from '../source';

/**
 * The keys of all payments that a record is to make: two payments of one write share a key. The key
 * of a single write is the hash in its reference, which all its generations have. A payment of a
 * batch has a mark, which only one attempt at its line has.
 */
export function keysIn(record: SentRecord): string[] {
  if (isOfBatch(record.refId)) {
    return batchIn(record)?.payments.map(({ mark }) => attemptMark(mark)) ?? [];
  }
  const { hash } = namedWrite(record.refId) ?? {};
  return hash === undefined ? [] : [hash];
}

/** The key of the write that a receipt is of. */
export function keyOfReceipt({ order, step, item }: ArchivedReceipt): string {
  return refHash({ workflowId: order.id, step, item });
}

/** Hexadecimal digits of a mark. All other keys have fewer. */
export const markDigits = 32;

/** A line of a payout. */
export type LineName = { order: string; line: string };

/** The key that all attempts at a line share. */
export function keyOfLine({ order, line }: LineName): string {
  return refHash({ workflowId: order, step: 'line', item: line });
}

/** The marks of all attempts at a line that a batch may make. */
export function marksOfLine({ order, line }: LineName): string[] {
  return Array.from({ length: batchedGenerationMax + 1 }, (_, generation) =>
    markOf(order, line, generation),
  );
}

/** Equal for two payments of the same amount to the same payee. */
export function sameAs({ token, counterparty = '', change }: Omit<Moved, 'at'>): string {
  return `${token} ${counterparty} ${change}`;
}
