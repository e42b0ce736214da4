import { batchStep } from '../../custody/batch';
import { readReference, refHash } from '../../custody/idempotencyKey';
import type { ArchivedReceipt } from '../receipt';

/** The write that a reference of the service's list names. */
export type NamedWrite = {
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
export function namedWrite(refId: string | undefined): NamedWrite | undefined {
  const reference = readReference(refId);
  if (refId === undefined || reference === undefined) return undefined;
  const readable = refId.replace(/(?:^| )(?:[0-9a-f]{16}\.b )?[0-9a-f]{16}\.g\d+$/, '');
  const cut = readable.lastIndexOf(' ');
  const [workflowId, path] = [readable.slice(0, Math.max(cut, 0)), readable.slice(cut + 1)];
  const slash = path.indexOf('/');
  const [step, item] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
  const isWhole = refHash({ workflowId, step, item }) === reference.hash;
  const order = isWhole ? workflowId : `…${workflowId}`;
  const isLine = step === 'line' && isWhole;
  return { order, ...(isLine ? { line: item } : {}), step, item, ...reference };
}

/** True for the reference of a batch, whose lines only its payout knows. */
export function isOfBatch(refId: string | undefined): boolean {
  return refId !== undefined && new RegExp(` ${batchStep}/\\S+ [0-9a-f]{16}\\.b `).test(refId);
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
