import type Database from 'libsql';
import { isRecord } from '../../custody/isRecord';
import { finalState } from '../../custody/objects/state';
import { refHash } from '../../custody/reference';
import type { ArchivedReceipt } from '../receipt';
import { namedWrite } from '../records/reference';
import type { KnownOrder, Moved, SentRecord } from './source';
import { keyOfLine, keysIn } from './twins';

/** The four sources of a reconciliation, in a database of its own. */
export type Tables = ReturnType<typeof createTables>;

/** Creates the tables that a reconciliation joins. */
export function createTables(database: Database.Database) {
  database.exec(`
    CREATE TABLE records (id TEXT PRIMARY KEY, txHash TEXT, source TEXT, state TEXT,
      doc TEXT) WITHOUT ROWID;
    CREATE INDEX recordsOfHash ON records (txHash);
    CREATE INDEX cancelledOf ON records (source) WHERE state = 'CANCELLED';
    CREATE TABLE keys (key TEXT, id TEXT, PRIMARY KEY (key, id)) WITHOUT ROWID;
    CREATE INDEX keysOf ON keys (id);
    CREATE TABLE movements (id TEXT, doc TEXT);
    CREATE INDEX movementsOf ON movements (id);
    CREATE TABLE receipts (id TEXT, doc TEXT); CREATE INDEX receiptsOf ON receipts (id);
    CREATE TABLE orders (id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID;`);
  const docs = (sql: string) => {
    const statement = database.prepare(sql).pluck();
    return (...values: string[]): string[] => statement.all(...values).map(String);
  };
  const addRecord = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)');
  const addKey = database.prepare('INSERT OR IGNORE INTO keys VALUES (?, ?)');
  const addMovement = database.prepare('INSERT INTO movements VALUES (?, ?)');
  const addReceipt = database.prepare('INSERT INTO receipts VALUES (?, ?)');
  const addOrder = database.prepare('INSERT OR IGNORE INTO orders VALUES (?, ?)');
  const ofHash = docs('SELECT doc FROM records WHERE txHash = ?');
  const cancelledOf = docs("SELECT doc FROM records WHERE source = ? AND state = 'CANCELLED'");
  const ofId = docs('SELECT doc FROM records WHERE id = ?');
  const movementsOf = docs('SELECT doc FROM movements WHERE id = ? ORDER BY rowid');
  const receiptsOf = docs('SELECT doc FROM receipts WHERE id = ?');
  const sharing = database.prepare(
    `SELECT other.id, other.key FROM keys own JOIN keys other ON own.key = other.key
      WHERE own.id = ?1 AND other.id <> ?1 ORDER BY other.id`,
  );
  const ordersNamed = docs('SELECT doc FROM orders WHERE id = ?');
  const ordersEnding = docs('SELECT doc FROM orders WHERE substr(id, -length(?1)) = ?1');
  const orphans = `SELECT receipts.doc FROM receipts
    LEFT JOIN records ON records.id = receipts.id WHERE records.id IS NULL`;

  const open = openRecords(database);
  const addRecords = database.transaction((records: readonly SentRecord[], areOld: boolean) => {
    for (const record of records) {
      open.note(record, areOld && finalState(record.state) === undefined);
      const { id, txHash = '', sourceAddress = '' } = record;
      const [hash, source] = [txHash.toLowerCase(), sourceAddress.toLowerCase()];
      addRecord.run(id, hash, source, finalState(record.state) ?? '', JSON.stringify(record));
      for (const key of keysIn(record)) addKey.run(key, id);
    }
  });
  const addMovements = database.transaction((found: readonly { id: string; moved: Moved }[]) => {
    for (const { id, moved } of found) addMovement.run(id, JSON.stringify(moved));
  });
  const addReceipts = database.transaction((receipts: readonly ArchivedReceipt[]) => {
    for (const one of receipts) {
      addReceipt.run(one.transactionId, JSON.stringify(one));
      if (one.batch !== undefined) addKey.run(keyOfLine(one), one.transactionId);
    }
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
    /** The ids of other records that have a payment with the same key, and that key. */
    sharing: (id: string): { id: string; key: string }[] =>
      sharing
        .all(id)
        .filter(isRecord)
        .map((row) => ({ id: String(row.id), key: String(row.key) })),
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
