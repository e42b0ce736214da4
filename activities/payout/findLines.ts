import {
  attemptMark,
  type BatchedPayments,
  batchedGenerationMax,
  batchIn,
  itemOfBatch,
  markOf,
} from '../../src/custody/batch';
import { batchesHash, refHash } from '../../src/custody/reference';
import type { AccountIndex, Depth } from '../../src/store/index/accountIndex';
import type { IndexedRecord } from '../../src/store/index/records';
import { tryRead } from '../attempt';
import { asker } from '../lookUp';

/** The lines to look up, of any wallet and recipient. */
export type LineSearch = Depth & {
  /** The payout's workflow id, which is in the lines' references. */
  workflowId: string;
  lineIds: string[];
};

/** By line, the payment that a memo on the chain proves, in words. */
export type ProvenLines = Record<string, string>;

/** Traces of lines in the service's list. */
export type FoundLines = {
  /** Number of records that were looked through. */
  seen: number;
  traces: { lineId: string; generation: number; record: IndexedRecord }[];
  /** The payout's batches that pay one of the lines. */
  batches?: FoundBatch[];
  /** Records with the reference of a batch, from which nobody can tell what they pay. */
  unread?: IndexedRecord[];
  /** The lines that the list does not have. */
  proven?: ProvenLines;
};

/** A record of a batch, and its payments. Payments of other lines have no line id. */
export type FoundBatch = Pick<BatchedPayments, 'tokenAddress'> & {
  item: string;
  generation: number;
  record: IndexedRecord;
  payments: FoundPayment[];
};

export type FoundPayment = {
  to: string;
  baseUnits: string;
  mark: string;
  line?: { lineId: string; generation: number };
};

/** Finds every record of some lines, of any generation and any run, alone or in a batch. */
export function findLinesActivity(index: AccountIndex) {
  return async function findLines(search: LineSearch): Promise<FoundLines> {
    const { workflowId, lineIds, backToMs } = search;
    const step = { workflowId, step: 'line' };
    const lineOf = new Map(lineIds.map((item) => [refHash({ ...step, item }), item]));
    const own = batchesHash(workflowId);
    const hashes = [...lineOf.keys(), own];
    const { seen, entries } = await tryRead(() => index.lookUp(hashes, { ...asker(), backToMs }));
    const traces = entries.flatMap(({ hash, generation, record }) => {
      const lineId = lineOf.get(hash);
      return lineId === undefined ? [] : [{ lineId, generation, record }];
    });
    const batched = entries.filter(({ hash }) => hash === own);
    if (batched.length === 0) return { seen, traces };
    const found: Required<Pick<FoundLines, 'batches' | 'unread'>> = { batches: [], unread: [] };
    const lineMarked = marksOf(search);
    for (const { generation, record } of batched) {
      const batch = batchIn(record);
      const { abiParameters: _, ...brief } = record;
      if (batch === undefined) found.unread.push(brief);
      else found.batches.push({ ...read(batch, lineMarked), generation, record: brief });
    }
    const isOwn = ({ payments }: FoundBatch): boolean => payments.some(({ line }) => line);
    return { seen, traces, ...found, batches: found.batches.filter(isOwn) };
  };
}

function read(batch: BatchedPayments, lineMarked: LineMarked) {
  const { tokenAddress } = batch;
  const payments = batch.payments.map((payment) => {
    const line = lineMarked(payment.mark);
    return line === undefined ? payment : { ...payment, line };
  });
  return { item: itemOfBatch(batch), tokenAddress, payments };
}

type LineMarked = (mark: string) => FoundPayment['line'];

/** The line of a mark, among the lines that are searched. */
function marksOf({ workflowId, lineIds }: LineSearch): LineMarked {
  const marks = new Map(
    lineIds.flatMap((lineId) =>
      Array.from({ length: batchedGenerationMax + 1 }, (_, generation) => [
        markOf(workflowId, lineId, generation),
        { lineId, generation },
      ]),
    ),
  );
  return (mark) => marks.get(attemptMark(mark));
}
