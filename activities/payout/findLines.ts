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
  /** The number of lines, from the first, that the answer is about. Unset: it is about all. */
  lines?: number;
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

/** Temporal refuses an answer of two megabytes. An encrypted one is larger than its text. */
const answerBytesMax = 1_000_000;

/**
 * Finds every record of some lines, of any generation and any run, alone or in a batch. Where that
 * is too long for one answer, it is about the first lines, and says about how many.
 */
export function findLinesActivity(index: AccountIndex) {
  return async function findLines(search: LineSearch): Promise<FoundLines> {
    const { workflowId, lineIds, backToMs } = search;
    const step = { workflowId, step: 'line' };
    const hashes = lineIds.map((item) => refHash({ ...step, item }));
    const asked = [...hashes, batchesHash(workflowId)];
    const { seen, entries } = await tryRead(() => index.lookUp(asked, { ...asker(), backToMs }));
    for (let lines = lineIds.length; ; lines = Math.ceil(lines / 2)) {
      const found = foundIn(entries, { workflowId, lineIds: lineIds.slice(0, lines) });
      const isShort = Buffer.byteLength(JSON.stringify(found)) <= answerBytesMax || lines <= 1;
      if (isShort) return { seen, ...found, ...(lines < lineIds.length && { lines }) };
    }
  };
}

type Entries = Awaited<ReturnType<AccountIndex['lookUp']>>['entries'];

/** The traces of some lines among the records of their payout. */
function foundIn(
  entries: Entries,
  { workflowId, lineIds }: Pick<LineSearch, 'workflowId' | 'lineIds'>,
): Omit<FoundLines, 'seen' | 'lines'> {
  const lineOf = new Map(
    lineIds.map((item) => [refHash({ workflowId, step: 'line', item }), item]),
  );
  const own = batchesHash(workflowId);
  const traces = entries.flatMap(({ hash, generation, record }) => {
    const lineId = lineOf.get(hash);
    return lineId === undefined ? [] : [{ lineId, generation, record }];
  });
  const batched = entries.filter(({ hash }) => hash === own);
  if (batched.length === 0) return { traces };
  const found: Required<Pick<FoundLines, 'batches' | 'unread'>> = { batches: [], unread: [] };
  const lineMarked = marksOf({ workflowId, lineIds });
  for (const { generation, record } of batched) {
    const batch = batchIn(record);
    const { abiParameters: _, ...brief } = record;
    if (batch === undefined) found.unread.push(brief);
    else found.batches.push({ ...read(batch, lineMarked), generation, record: brief });
  }
  const isOwn = ({ payments }: FoundBatch): boolean => payments.some(({ line }) => line);
  return { traces, ...found, batches: found.batches.filter(isOwn) };
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
function marksOf({ workflowId, lineIds }: Pick<LineSearch, 'workflowId' | 'lineIds'>): LineMarked {
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
