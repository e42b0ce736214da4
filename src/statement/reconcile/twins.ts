import { batchedGenerationMax, batchIn, beginningOf, markOf } from '../../custody/batch';
import { finalState } from '../../custody/objects/state';
import { isOfBatch, refHash } from '../../custody/reference';
import type { ArchivedReceipt } from '../receipt';
import { namedWrite } from '../records/reference';
import type { Comparison } from './expected';
import type { Moved, SentRecord } from './source';

/** A payment by another transaction that has a key of this one. Only one of the two was ordered. */
export type Twin = { id: string; key: string; block: number; logIndex: number };

/**
 * The keys of all payments of a record: two payments of one write share a key. That of a single
 * write is the hash in its reference, which all its generations have. A payment of a batch has a
 * mark, of one generation. A line that went alone has the marks of its earlier attempts too.
 */
export function keysIn(record: SentRecord): string[] {
  if (isOfBatch(record.refId)) {
    return batchIn(record)?.payments.map(({ mark }) => beginningOf(mark)) ?? [];
  }
  const { hash, order, line, generation = 0 } = namedWrite(record.refId) ?? {};
  if (hash === undefined) return [];
  if (order === undefined || line === undefined) return [hash];
  const attempts = Math.min(generation, batchedGenerationMax) + 1;
  return [hash, ...Array.from({ length: attempts }, (_, attempt) => markOf(order, line, attempt))];
}

/** The key of a line, which a batch has only in the receipt of each payment. */
export function keyOfLine({ order, step, item }: ArchivedReceipt): string {
  return refHash({ workflowId: order.id, step, item });
}

/** Everything that is known of one transaction's payments. */
export type Payments = {
  record: SentRecord;
  effects: readonly Moved[];
  comparison: Comparison;
  receiptOf(effect: Moved): ArchivedReceipt | undefined;
};

/** The keys of one payment. */
export function keysOf(effect: Moved, { record, comparison, receiptOf }: Payments): string[] {
  if (!isOfBatch(record.refId)) return keysIn(record);
  const mark = comparison.made.get(effect)?.mark;
  const receipt = receiptOf(effect);
  return [mark, receipt && keyOfLine(receipt)].filter((key) => key !== undefined);
}

/**
 * The payment of a twin with a key, if it was made. One in another period shows no movement here:
 * its record tells of a single payment, and its receipt of one in a batch.
 */
export function twinPaid(
  key: string,
  payments: Payments,
  receipts: readonly ArchivedReceipt[],
): Twin | undefined {
  const { record, effects } = payments;
  const { id, blockHeight, state, refId } = record;
  const effect = effects.find((each) => keysOf(each, payments).includes(key));
  if (effect !== undefined) {
    return { id, key, block: effect.block, logIndex: effect.logIndex ?? 0 };
  }
  if (effects.length > 0 || blockHeight === undefined) return undefined;
  const isPaid = isOfBatch(refId)
    ? receipts.some((one) => one.outcome === 'completed' && keyOfLine(one) === key)
    : finalState(state) === 'COMPLETE';
  return isPaid ? { id, key, block: blockHeight, logIndex: 0 } : undefined;
}
