import { createHash } from 'node:crypto';
import type { OpenDatabase, Row, Work } from '../../store/work';
import {
  type ArchivedReceipt,
  chained,
  contradict,
  hashOfReceipt,
  receiptFault,
  type WriteReceipt,
  writeOf,
} from '../receipt';
import {
  type Archive,
  type ArchiveEntry,
  ArchiveError,
  changedSince,
  type Head,
  type ReceiptFilter,
} from './archive';
import { readPayments } from './payments';
import { receiptIn } from './receiptIn';
import { archiveSql, contradicting } from './tables';

const pageSize = 500;

/** More than any time. */
const everMs = Number.MAX_SAFE_INTEGER;

/** The archive in a database. `kept` keeps new entries elsewhere too, in the same transaction. */
export function sqlArchive(
  database: OpenDatabase,
  kept: (entries: readonly ArchiveEntry[]) => Work<void> = function* () {},
): Archive {
  const { change, read } = database;
  return {
    append: (receipts) =>
      receipts.length === 0
        ? Promise.resolve(0)
        : change(
            (function* () {
              const entries = yield* append(receipts);
              if (entries.length > 0) yield* kept(entries);
              return entries.length;
            })(),
          ),
    contradicting: async (max) => (await read(archiveSql.contradicting.all(max))).map(receiptIn),
    receipts: (wanted = {}) => receiptsOf(read, wanted),
    payments: () => readPayments(database),
    entries: () => rowsFrom(read, 1),
    rowsFrom: (at) => rowsFrom(read, at),
    rowBefore: (timeMs) => read(rowBefore(timeMs)),
    head: () => read(headOf()),
    close: database.close,
  };
}

/** The stamp of an entry, which rests on all entries before it. */
export function stampOf(before: string, { hash }: Pick<ArchivedReceipt, 'hash'>): string {
  return createHash('sha256').update(`${before} ${hash}`).digest('hex');
}

export function* headOf(): Work<Head | undefined> {
  const row = yield* archiveSql.head.get();
  return row && { at: Number(row.at), stamp: String(row.stamp) };
}

/** Receipts are added in the order in which orders end, so a later row may have an earlier time. */
function* rowBefore(timeMs: number): Work<number> {
  const last = yield* archiveSql.lastBefore.get(timeMs);
  const first = yield* archiveSql.firstSince.get(timeMs);
  const before = Number(last?.at ?? 0);
  return first?.at == null ? before : Math.min(before, Number(first.at) - 1);
}

function* append(receipts: readonly WriteReceipt[]): Work<ArchiveEntry[]> {
  for (const one of receipts) refuseOther(one);
  const entries: ArchiveEntry[] = [];
  let { at, stamp } = (yield* headOf()) ?? { at: 0, stamp: '' };
  for (const one of receipts) {
    const earlier = yield* archiveSql.ofWrite.get(writeOf(one));
    const known = earlier && receiptIn(earlier);
    if (known !== undefined && !contradict(known, one)) continue;
    const told = { ...one, ...(known && { contradicts: known.hash }) };
    if (known !== undefined && (yield* archiveSql.ofWrite.get(nameOf(told))) !== undefined)
      continue;
    const receipt = chained(told, yield* lastOf(one.order.id));
    at += 1;
    stamp = stampOf(stamp, receipt);
    const entry = { at, stamp, receipt };
    yield* add(entry);
    entries.push(entry);
  }
  return entries;
}

/** Refuses what is no receipt, since one such row would end each check of the archive. */
function refuseOther(receipt: WriteReceipt): void {
  const fault = receiptFault(receipt);
  if (fault === undefined) return;
  throw new ArchiveError(`A write of ${receipt.order.id} makes no receipt. ${fault}`);
}

function* lastOf(orderId: string) {
  const row = yield* archiveSql.lastOf.get(orderId);
  return row && { place: Number(row.place), hash: String(row.hash) };
}

export function* add({ at, stamp, receipt }: ArchiveEntry): Work<void> {
  const { write, orderId, place, hash, timeMs } = columnsOf(receipt);
  const doc = JSON.stringify(receipt);
  yield* archiveSql.add.run(at, write, orderId, place, hash, stamp, timeMs, doc);
}

/** A write has one receipt, and one more for each thing that contradicts it. */
function nameOf(receipt: WriteReceipt & Pick<ArchivedReceipt, 'contradicts'>): string {
  if (receipt.contradicts === undefined) return writeOf(receipt);
  const { place: _, previous: __, ...own } = { place: 0, previous: '', ...receipt };
  return `${writeOf(receipt)}${contradicting}${hashOfReceipt(own)}`;
}

/** The columns by which a receipt is found. */
function columnsOf(receipt: ArchivedReceipt) {
  const { order, place, hash, time } = receipt;
  return { write: nameOf(receipt), orderId: order.id, place, hash, timeMs: Date.parse(time) };
}

type Read = OpenDatabase['read'];

async function* receiptsOf(read: Read, wanted: ReceiptFilter): AsyncGenerator<ArchivedReceipt> {
  const { fromMs = 0, untilMs = everMs, orderId, text } = wanted;
  for (let last = { timeMs: fromMs - 1, at: everMs }; ; ) {
    const place = [last.timeMs, last.at, untilMs] as const;
    const rows = await read(
      orderId !== undefined
        ? archiveSql.ofOrder.all(orderId, ...place, pageSize)
        : text !== undefined
          ? archiveSql.ofText.all(...place, patternOf(text), pageSize)
          : archiveSql.ofTime.all(...place, pageSize),
    );
    for (const row of rows) yield receiptIn(row);
    const end = rows.at(-1);
    if (end === undefined || rows.length < pageSize) return;
    last = { timeMs: Number(end.timeMs), at: Number(end.at) };
  }
}

/**
 * The pattern of documents that may have a text, as JSON writes it. Letters that are not ASCII
 * stand for any others, since SQLite does not know their cases.
 */
function patternOf(text: string): string {
  const inJson = JSON.stringify(text).slice(1, -1);
  return `%${inJson.replace(/[!%_]/g, '!$&').replace(/[^ -~]+/g, '%')}%`;
}

async function* rowsFrom(read: Read, at: number): AsyncGenerator<ArchiveEntry> {
  for (let last = at - 1; ; ) {
    const rows = await read(archiveSql.after.all(last, pageSize));
    for (const row of rows) {
      last = Number(row.at);
      const receipt = receiptIn(row);
      refuseOtherColumns(row, receipt);
      yield { at: last, stamp: String(row.stamp), receipt };
    }
    if (rows.length < pageSize) return;
  }
}

/** Receipts are found by their columns, so that a changed one would hide or double a receipt. */
function refuseOtherColumns(row: Row, receipt: ArchivedReceipt): void {
  // A document that is no receipt at all is told where all rows are checked.
  if (receipt.order?.id === undefined) return;
  for (const [name, value] of Object.entries(columnsOf(receipt))) {
    if (String(row[name]) === String(value)) continue;
    throw changedSince(`Row ${row.at} of the archive has another ${name} than its receipt`);
  }
}
