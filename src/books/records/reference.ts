import { isOfBatch, readWrite } from '../../custody/reference';
import type { ArchivedReceipt } from '../receipt';

/** The write that a reference of the service's list names. */
export type ListedWrite = {
  /** The id of the order. Its end alone, behind an ellipsis, where the reference has cut it. */
  order: string;
  /** The id of a payout's line. Missing for other writes, and for batches. */
  line?: string;
  step: string;
  item: string;
  generation: number;
  /** The hash that all generations of the write share. */
  hash: string;
};

/** Reads a reference of ours. Undefined for any other text. */
export function namedWrite(refId: string | undefined): ListedWrite | undefined {
  const write = readWrite(refId);
  if (write === undefined) return undefined;
  const { workflowId, step, item, isWhole, hash, generation } = write;
  const order = isWhole ? workflowId : `…${workflowId}`;
  const isLine = step === 'line' && isWhole;
  return { order, ...(isLine ? { line: item } : {}), step, item, hash, generation };
}

/**
 * The receipt of one movement of a record. A batch has one for each payment, by its log. Its fee
 * has none, unless a line was alone in it, as one with a memo may be.
 */
export function receiptAmong(
  receipts: readonly ArchivedReceipt[],
  { refId, logIndex }: { refId: string | undefined; logIndex: number | undefined },
): ArchivedReceipt | undefined {
  if (!isOfBatch(refId)) return receipts[0];
  if (logIndex === undefined) return receipts.find(({ fee }) => fee?.lines === 1);
  return receipts.find(({ chain }) => chain.logIndex === logIndex);
}
