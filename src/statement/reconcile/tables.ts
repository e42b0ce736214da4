import type Database from 'libsql';
import type { KeptRecord } from '../../accountIndex/records';
import { batchedGenerationMax, batchIn, beginningOf, markOf } from '../../custody/batch';
import { refHash } from '../../custody/idempotencyKey';
import { isRecord } from '../../custody/isRecord';
import { finalState } from '../../custody/objects/state';
import type { Movement } from '../movement';
import type { ArchivedReceipt } from '../receipt';
import { namedWrite } from '../records/reference';

/** A record of the service, as far as the books need it. */
export type SentRecord = KeptRecord;

/** A movement as the database has it. */
export type Moved = Omit<Movement, 'money' | 'change' | 'sponsored'> & {
  token: string;
  /** Base units. */
  change: string;
  sponsored?: string;
};

/** Another record of the same write, or of the same payment of a batch. */
export type Twin = {
  id: string;
  /** The mark of the payment that both make. Missing for two records of one reference. */
  mark?: string;
};

/** An order that Temporal still knows. */
export type KnownOrder = {
  id: string;
  /** Temporal's word, such as RUNNING. */
  status: string;
  /** The one payment that it orders, where it orders one. Decimal. */
  pays?: { to: string; amount: string };
};

/** The four sources of a reconciliation, in a database of its own. */
export type Tables = ReturnType<typeof createTables>;

/** Creates the tables that a reconciliation joins. */
export function createTables(database: Database.Database) {
  database.exec(`
    CREATE TABLE records (id TEXT PRIMARY KEY, ref TEXT, txHash TEXT, source TEXT, state TEXT,
      doc TEXT) WITHOUT ROWID;
    CREATE INDEX recordsOfHash ON records (txHash);
    CREATE INDEX recordsOfRef ON records (ref);
    CREATE INDEX cancelledOf ON records (source) WHERE state = 'CANCELLED';
    CREATE TABLE marks (mark TEXT, id TEXT, PRIMARY KEY (mark, id)) WITHOUT ROWID;
    CREATE INDEX marksOf ON marks (id);
    CREATE TABLE movements (id TEXT, doc TEXT);
    CREATE INDEX movementsOf ON movements (id);
    CREATE TABLE receipts (id TEXT, doc TEXT);
    CREATE INDEX receiptsOf ON receipts (id);
    CREATE TABLE orders (id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID;`);
  const docs = (sql: string) => {
    const statement = database.prepare(sql).pluck();
    return (...values: string[]): string[] => statement.all(...values).map(String);
  };
  const addRecord = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)');
  const addMark = database.prepare('INSERT OR IGNORE INTO marks VALUES (?, ?)');
  const addMovement = database.prepare('INSERT INTO movements VALUES (?, ?)');
  const addReceipt = database.prepare('INSERT INTO receipts VALUES (?, ?)');
  const addOrder = database.prepare('INSERT OR IGNORE INTO orders VALUES (?, ?)');
  const ofHash = docs('SELECT doc FROM records WHERE txHash = ?');
  const cancelledOf = docs("SELECT doc FROM records WHERE source = ? AND state = 'CANCELLED'");
  const ofId = docs('SELECT doc FROM records WHERE id = ?');
  const movementsOf = docs('SELECT doc FROM movements WHERE id = ? ORDER BY rowid');
  const receiptsOf = docs('SELECT doc FROM receipts WHERE id = ?');
  const ordersNamed = docs('SELECT doc FROM orders WHERE id = ?');
  const ordersEnding = docs('SELECT doc FROM orders WHERE substr(id, -length(?1)) = ?1');
  const orphans = `SELECT receipts.doc FROM receipts
    LEFT JOIN records ON records.id = receipts.id WHERE records.id IS NULL`;

  const open = openRecords(database);
  const addRecords = database.transaction((records: readonly SentRecord[], areOld: boolean) => {
    for (const record of records) {
      open.note(record, areOld && finalState(record.state) === undefined);
      const { id, refId, txHash = '', sourceAddress = '' } = record;
      const ref = namedWrite(refId)?.hash ?? '';
      const [hash, source] = [txHash.toLowerCase(), sourceAddress.toLowerCase()];
      addRecord.run(id, ref, hash, source, finalState(record.state) ?? '', JSON.stringify(record));
      for (const mark of marksOf(record)) addMark.run(mark, id);
    }
  });
  const addMovements = database.transaction((found: readonly { id: string; moved: Moved }[]) => {
    for (const { id, moved } of found) addMovement.run(id, JSON.stringify(moved));
  });
  const addReceipts = database.transaction((receipts: readonly ArchivedReceipt[]) => {
    for (const one of receipts) addReceipt.run(one.transactionId, JSON.stringify(one));
  });

  return {
    /** Old ones that are not final stay open, until they are kept again. */
    keepRecords: (records: readonly SentRecord[], { areOld = false } = {}): void =>
      addRecords(records, areOld),
    oldestOpen: open.oldest,
    dropOpenBefore: open.dropBefore,
    keepMovements: (found: readonly { id: string; moved: Moved }[]): void => addMovements(found),
    keepReceipts: (receipts: readonly ArchivedReceipt[]): void => addReceipts(receipts),
    keepOrder: (order: KnownOrder): void => {
      addOrder.run(order.id, JSON.stringify(order));
    },
    recordsOfHash: (hash: string): SentRecord[] => ofHash(hash).map((one) => JSON.parse(one)),
    /** The cancelled transactions of a wallet, by its address in lower case. */
    cancelledOf: (source: string): SentRecord[] =>
      cancelledOf(source).map((one) => JSON.parse(one)),
    twinsOf: findingTwins(database),
    recordOf: (id: string): SentRecord | undefined => ofId(id).map((one) => JSON.parse(one))[0],
    movementsOf: (id: string): Moved[] => movementsOf(id).map((one) => JSON.parse(one)),
    receiptsOf: (id: string): ArchivedReceipt[] => receiptsOf(id).map((one) => JSON.parse(one)),
    /** The order of a record, if Temporal knows it. A long reference has only the end of its id. */
    orderOf: ({ refId }: SentRecord): KnownOrder | undefined => {
      const named = namedWrite(refId);
      if (named === undefined) return undefined;
      const { order, step, item, hash } = named;
      const found = order.startsWith('…') ? ordersEnding(order.slice(1)) : ordersNamed(order);
      const orders: KnownOrder[] = found.map((one) => JSON.parse(one));
      return orders.find(({ id }) => refHash({ workflowId: id, step, item }) === hash);
    },
    records: (): Iterable<SentRecord> => docsIn(database, 'SELECT doc FROM records ORDER BY id'),
    /** Receipts of transactions that the service's list does not have. */
    receiptsAlone: (): Iterable<ArchivedReceipt> => docsIn(database, orphans),
  };
}

/**
 * The marks of all payments of a record. A line that went alone has those of its earlier attempts
 * too, each of which may have been in a batch.
 */
function marksOf(record: SentRecord): string[] {
  const batch = batchIn(record);
  if (batch !== undefined) return batch.payments.map(({ mark }) => beginningOf(mark));
  const { order, line, generation = 0 } = namedWrite(record.refId) ?? {};
  if (order === undefined || line === undefined) return [];
  const attempts = Math.min(generation, batchedGenerationMax) + 1;
  return Array.from({ length: attempts }, (_, attempt) => markOf(order, line, attempt));
}

/** Finds the other records of the same write, and those that share a payment. */
function findingTwins(database: Database.Database): (record: SentRecord) => Twin[] {
  const ofRef = database.prepare('SELECT id FROM records WHERE ref = ?1 AND id <> ?2 ORDER BY id');
  const ofMark = database.prepare(
    `SELECT other.id, other.mark FROM marks own JOIN marks other ON own.mark = other.mark
      WHERE own.id = ?1 AND other.id <> ?1 ORDER BY other.id`,
  );
  return (record) => {
    const ref = namedWrite(record.refId)?.hash;
    // A batch is compared payment by payment, by their marks.
    const isAlone = ref !== undefined && batchIn(record) === undefined;
    const same = isAlone ? ofRef.all(ref, record.id) : [];
    return [
      ...same.filter(isRecord).map(({ id }) => ({ id: String(id) })),
      ...ofMark
        .all(record.id)
        .filter(isRecord)
        .map(({ id, mark }) => ({ id: String(id), mark: String(mark) })),
    ];
  };
}

/** Records whose state of now is still to be read. */
function openRecords(database: Database.Database) {
  database.exec(`
    CREATE TABLE open (id TEXT PRIMARY KEY, createdMs INTEGER) WITHOUT ROWID;
    CREATE INDEX openSince ON open (createdMs);`);
  const add = database.prepare('INSERT OR REPLACE INTO open VALUES (?, ?)');
  const close = database.prepare('DELETE FROM open WHERE id = ?');
  const oldest = database.prepare('SELECT MIN(createdMs) FROM open').pluck();
  const before = 'SELECT id FROM open WHERE createdMs < ?1';
  const drop = [
    database.prepare(`DELETE FROM records WHERE id IN (${before})`),
    database.prepare('DELETE FROM open WHERE createdMs < ?1'),
  ];
  return {
    note: ({ id, createDate }: SentRecord, isOpen: boolean): void => {
      if (isOpen) add.run(id, Date.parse(createDate));
      else close.run(id);
    },
    /** The time at which the oldest one was created. */
    oldest: (): number | undefined => {
      const [found] = oldest.all();
      return typeof found === 'number' ? found : undefined;
    },
    /** Forgets those that were created before a time, and their records. */
    dropBefore: (ms: number): void => {
      for (const statement of drop) statement.run(ms);
    },
  };
}

/** Documents, one at a time. */
function* docsIn<T>(database: Database.Database, sql: string): Generator<T> {
  for (const row of database.prepare(sql).iterate()) {
    if (isRecord(row)) yield JSON.parse(String(row.doc));
  }
}
