import { batchStep } from '../../../custody/batch';
import { batchesHash, readBatches } from '../../../custody/idempotencyKey';
import { isRecord } from '../../../custody/isRecord';
import type { ArchivedReceipt } from '../../receipt';
import { type NamedWrite, namedWrite } from '../../records/reference';
import type { Moved } from '../source';
import { markIn, type Tables } from '../tables';
import { keyOfLine, keyOfReceipt, keysIn, type Line, marksOfLine } from './keys';

/** The ids of the lines of payouts that Temporal still knows. */
export type PayoutLines = {
  /** All lines of a payout. None if Temporal does not know it. */
  all(order: string): AsyncIterable<string>;
  /** The lines that a payout has ended without paying, and calls failed. */
  failed(order: string): AsyncIterable<string>;
};

/** Reads the receipts of an order from before a period. */
export type EarlierReceipts = (order: string) => AsyncIterable<ArchivedReceipt>;

type Sources = { temporal?: PayoutLines | undefined; earlier?: EarlierReceipts | undefined };

/** The lines of which the marks of batches are. */
export type Lines = {
  /** The key of the line of a mark. Undefined where nobody knows it. */
  keyOf(mark: string): string | undefined;
  /** True for the key of a line that its payout calls failed. */
  isFailed(key: string): boolean;
};

/**
 * Finds the lines of which the marks of batches are. A mark names one attempt, and tells nobody its
 * line. Whoever knows a line computes the marks of all attempts at it. Receipts know lines, and so
 * do records of lines that went alone. All payouts of a month may have millions of lines. So
 * Temporal is asked only about payments that are alike, and about lines that are called failed.
 */
export async function learnLines(tables: Tables, asked: Sources): Promise<Lines> {
  const { temporal, earlier } = asked;
  const marks = createMarks(tables);
  const payouts = payoutsIn(tables);
  for (const record of tables.records()) {
    for (const key of readBatches(record.refId) ? keysIn(record) : []) marks.add(key, record.refId);
  }
  for (const { refId, moved } of referenced(tables)) marks.see(moved, refId);
  for (const receipt of tables.receipts()) marks.know(markIn(receipt), keyOfReceipt(receipt));
  const known = new Set(payouts);
  for (const line of linesIn(tables)) {
    known.add(line.order);
    if (marks.isOpen(line.order)) marks.knowLine(line);
  }
  for (const order of earlier ? known : []) {
    if (!marks.isOpen(order)) continue;
    for await (const { step, item: line } of earlier?.(order) ?? []) {
      if (step === 'line') marks.knowLine({ order, line });
    }
  }
  if (temporal === undefined) return marks;
  const alike = marks.alike().flatMap((refId) => tables.orderOf({ refId })?.id ?? []);
  for (const order of new Set(alike)) {
    for await (const line of temporal.all(order)) marks.knowLine({ order, line });
  }
  for (const order of payouts) {
    for await (const line of temporal.failed(order)) marks.fail({ order, line });
  }
  return marks;
}

/** All payments of the chain, with the references of their records. */
function* referenced(tables: Tables): Generator<{ moved: Moved; refId: string | undefined }> {
  let last: { id: string; refId: string | undefined } = { id: '', refId: undefined };
  for (const { id, moved } of tables.movements()) {
    if (moved.kind !== 'transfer') continue;
    // All payments of a batch have one record, which is large.
    if (last.id !== id) last = { id, refId: tables.recordOf(id)?.refId };
    yield { moved, refId: last.refId };
  }
}

/** The marks of all batches, and what is known of each. */
function createMarks({ database }: Tables) {
  database.exec(`
    CREATE TABLE marks (mark TEXT PRIMARY KEY, key TEXT, refId TEXT, payout TEXT,
      same TEXT) WITHOUT ROWID;
    CREATE INDEX marksOpen ON marks (payout) WHERE key = '';
    CREATE TABLE failed (key TEXT PRIMARY KEY) WITHOUT ROWID;`);
  const adding = database.prepare("INSERT OR IGNORE INTO marks VALUES (?, '', ?, ?, '')");
  const seeing = database.prepare('UPDATE marks SET same = ? WHERE mark = ?');
  const knowing = database.prepare("UPDATE marks SET key = ? WHERE mark = ? AND key = ''");
  const open = database
    .prepare("SELECT 1 FROM marks WHERE key = '' AND payout IN (?, '') LIMIT 1")
    .pluck();
  const known = database.prepare("SELECT key FROM marks WHERE mark = ? AND key <> ''").pluck();
  const alike = database.prepare(`SELECT DISTINCT refId FROM marks WHERE key = '' AND same IN
    (SELECT same FROM marks WHERE key = '' AND same <> '' GROUP BY same HAVING COUNT(*) > 1)`);
  const failing = database.prepare('INSERT OR IGNORE INTO failed VALUES (?)');
  const failed = database.prepare('SELECT 1 FROM failed WHERE key = ?').pluck();
  const add = (mark: string, refId = ''): void => {
    adding.run(mark, refId, readBatches(refId) ?? '');
  };
  const know = (mark: string, key: string): void => {
    knowing.run(key, mark);
  };
  const knowLine = (line: Line): void => {
    const key = keyOfLine(line);
    for (const mark of marksOfLine(line)) know(mark, key);
  };
  return {
    add,
    know,
    knowLine,
    /** A payment that has moved. One of a long id may be of any line, as one with a mark may. */
    see: (moved: Moved, refId: string | undefined): void => {
      const mark = moved.mark ?? (isCut(namedWrite(refId)) ? `cut ${refId}` : undefined);
      if (mark === undefined) return;
      add(mark, refId);
      seeing.run(sameAs(moved), mark);
    },
    /** True while the line of a mark of a payout is not known. */
    isOpen: (order: string): boolean => open.all(batchesHash(order)).length > 0,
    /** References of payments that are alike and whose lines nobody knows. */
    alike: (): string[] =>
      alike.all().flatMap((row) => (isRecord(row) && row.refId ? [String(row.refId)] : [])),
    fail: (line: Line): void => {
      knowLine(line);
      failing.run(keyOfLine(line));
    },
    keyOf: (mark: string): string | undefined => known.all(mark).map(String)[0],
    isFailed: (key: string): boolean => failed.all(key).length > 0,
  };
}

/** Equal for two payments of the same amount to the same payee. */
export function sameAs({ token, counterparty = '', change }: Moved): string {
  return `${token} ${counterparty} ${change}`;
}

/** True for a line of an order whose id is so long that its beginning was cut off. */
export function isCut(named: NamedWrite | undefined): boolean {
  return named?.step === 'line' && named.line === undefined;
}

/** The lines that receipts and records name. */
function* linesIn(tables: Tables): Generator<Line> {
  for (const { order, step, item } of tables.receipts()) {
    if (step === 'line') yield { order: order.id, line: item };
  }
  for (const record of tables.records()) {
    const named = namedWrite(record.refId);
    const order = isCut(named) ? tables.orderOf(record)?.id : named?.order;
    if (named?.step === 'line' && order !== undefined) yield { order, line: named.item };
  }
}

/** The payouts of the records, as far as Temporal knows them. */
function payoutsIn(tables: Tables): Set<string> {
  const found = new Map<string, string | undefined>();
  for (const { refId } of tables.records()) {
    const { step, order = '' } = namedWrite(refId) ?? {};
    if (step !== 'line' && step !== batchStep) continue;
    const name = readBatches(refId) ?? order;
    if (!found.has(name)) found.set(name, tables.orderOf({ refId })?.id);
  }
  return new Set([...found.values()].filter((id) => id !== undefined));
}
