import { batchStep } from '../../../custody/batch';
import { isRecord } from '../../../custody/isRecord';
import { batchesHash, readBatches } from '../../../custody/reference';
import type { ArchivedReceipt } from '../../receipt';
import { type ListedWrite, namedWrite } from '../../records/reference';
import type { Tables } from '../tables';
import { keyOfLine, type LineName, markDigits, marksOfLine } from './keys';

/** The ids of the lines of payouts that Temporal still knows. */
export type PayoutLines = {
  /** All lines of a payout. None if Temporal does not know it. */
  all(order: string): AsyncIterable<string>;
  /** The lines that a payout has ended without paying, and its word for each. */
  unpaid(order: string): AsyncIterable<{ line: string; outcome: string }>;
};

/** Reads the receipts of an order from before a period. */
export type EarlierReceipts = (order: string) => AsyncIterable<ArchivedReceipt>;

type Sources = { temporal?: PayoutLines | undefined; earlier?: EarlierReceipts | undefined };

/** The lines of which the marks of batches are. */
export type LinesOfMarks = {
  /** The key of the line of a mark. Undefined where nobody knows it. */
  keyOf(mark: string): string | undefined;
  /** Its payout's word for the line of a key, if that is not paid. */
  unpaidAs(key: string): string | undefined;
};

/**
 * Finds the lines that the marks of batches belong to. A mark names one attempt, and does not tell
 * its line. From a line, the marks of all its attempts can be computed. Receipts name lines, and so
 * do records of lines that went alone. All payouts of a month may have millions of lines. So
 * Temporal is asked only about payments that are alike, and about lines that are not called paid.
 */
export async function learnLines(
  tables: Tables,
  { temporal, earlier }: Sources,
): Promise<LinesOfMarks> {
  const marks = createMarks(tables);
  marks.collect();
  const payouts = payoutsIn(tables);
  const known = new Set(payouts);
  for (const line of marks.areOpen() ? linesIn(tables) : []) {
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
    for await (const { line, outcome } of temporal.unpaid(order)) {
      marks.leaveUnpaid({ order, line }, outcome);
    }
  }
  return marks;
}

/** The marks of all batches, and what is known of each. */
function createMarks({ database }: Tables) {
  database.exec(`
    CREATE TABLE marks (mark TEXT PRIMARY KEY, key TEXT, refId TEXT, payout TEXT,
      same TEXT) WITHOUT ROWID;
    CREATE INDEX marksOpen ON marks (payout) WHERE key = '';
    CREATE TABLE unpaid (key TEXT PRIMARY KEY, outcome TEXT) WITHOUT ROWID;`);
  const ordered = database.prepare(`SELECT key AS mark, refId, '' AS same FROM keys
    JOIN records USING (id) WHERE length(key) = ${markDigits}`);
  const moved = database.prepare(`SELECT mark, refId, same FROM movements
    LEFT JOIN records USING (id) WHERE mark <> ''`);
  const alone = database.prepare(`SELECT '' AS mark, refId, same FROM movements
    JOIN records USING (id) WHERE same <> '' AND mark = '' AND refId LIKE '% line/%'`);
  const add = database.prepare(`INSERT INTO marks VALUES (?, '', ?, ?, ?)
    ON CONFLICT DO UPDATE SET same = excluded.same`);
  const fromReceipts = `UPDATE marks SET key = receipts.key FROM receipts
    WHERE receipts.mark = marks.mark`;
  const know = database.prepare("UPDATE marks SET key = ? WHERE mark = ? AND key = ''");
  const open = database.prepare("SELECT 1 FROM marks WHERE key = '' AND payout IN (?, '') LIMIT 1");
  const anyOpen = database.prepare("SELECT 1 FROM marks WHERE key = '' LIMIT 1");
  const known = database.prepare("SELECT key FROM marks WHERE mark = ? AND key <> ''").pluck();
  const alike = database.prepare(`SELECT DISTINCT refId FROM marks WHERE key = '' AND same IN
    (SELECT same FROM marks WHERE key = '' AND same <> '' GROUP BY same HAVING COUNT(*) > 1)`);
  const leave = database.prepare('INSERT OR IGNORE INTO unpaid VALUES (?, ?)');
  const outcomeOf = database.prepare('SELECT outcome FROM unpaid WHERE key = ?').pluck();
  const addAll = (rows: Iterable<unknown>, markOf: (row: Row) => string | undefined): void => {
    for (const row of rows) {
      if (!isRecord(row)) continue;
      const named = { mark: String(row.mark), refId: String(row.refId ?? '') };
      const mark = markOf(named);
      const payout = readBatches(named.refId) ?? '';
      if (mark !== undefined) add.run(mark, named.refId, payout, String(row.same));
    }
  };
  const knowLine = (line: LineName): void => {
    const key = keyOfLine(line);
    for (const mark of marksOfLine(line)) know.run(key, mark);
  };
  return {
    /** Collects the marks of records and of the chain. Receipts know the lines of some. */
    collect: database.transaction(() => {
      addAll(ordered.iterate(), ({ mark }) => mark);
      addAll(moved.iterate(), ({ mark }) => mark);
      database.exec(fromReceipts);
      // A line whose order is not known may be that of any mark whose line is not known.
      if (anyOpen.all().length === 0) return;
      addAll(alone.iterate(), ({ refId }) =>
        isCut(namedWrite(refId)) ? `cut ${refId}` : undefined,
      );
    }),
    knowLine,
    areOpen: (): boolean => anyOpen.all().length > 0,
    /** True while the line of a mark of a payout is not known. */
    isOpen: (order: string): boolean => open.all(batchesHash(order)).length > 0,
    /** References of payments that are alike and whose lines nobody knows. */
    alike: (): string[] =>
      alike.all().flatMap((row) => (isRecord(row) && row.refId ? [String(row.refId)] : [])),
    leaveUnpaid: (line: LineName, outcome: string): void => {
      knowLine(line);
      leave.run(keyOfLine(line), outcome);
    },
    keyOf: (mark: string): string | undefined => known.all(mark).map(String)[0],
    unpaidAs: (key: string): string | undefined => outcomeOf.all(key).map(String)[0],
  };
}

type Row = { mark: string; refId: string };

/** True for a line of an order whose id is so long that its beginning was cut off. */
export function isCut(named: ListedWrite | undefined): boolean {
  return named?.step === 'line' && named.line === undefined;
}

/** The lines that receipts and records name. */
function* linesIn(tables: Tables): Generator<LineName> {
  for (const { order, step, item } of tables.receipts()) {
    if (step === 'line') yield { order: order.id, line: item };
  }
  for (const refId of tables.references()) {
    const named = namedWrite(refId);
    const order = isCut(named) ? tables.orderOf({ refId })?.id : named?.order;
    if (named?.step === 'line' && order !== undefined) yield { order, line: named.item };
  }
}

/** The payouts of the records, as far as Temporal knows them. */
function payoutsIn(tables: Tables): Set<string> {
  if (!tables.hasOrders()) return new Set();
  const found = new Map<string, string | undefined>();
  for (const refId of tables.references()) {
    const { step, order = '' } = namedWrite(refId) ?? {};
    if (step !== 'line' && step !== batchStep) continue;
    const name = readBatches(refId) ?? order;
    if (!found.has(name)) found.set(name, tables.orderOf({ refId })?.id);
  }
  return new Set([...found.values()].filter((id) => id !== undefined));
}
