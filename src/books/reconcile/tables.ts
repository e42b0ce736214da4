import type Database from 'libsql';
import { markOf } from '../../custody/batch';
import { isRecord } from '../../custody/isRecord';
import { finalState } from '../../custody/objects/state';
import { refHash } from '../../custody/reference';
import type { KnownOrder } from '../../orders/progress/knownOrder';
import type { ArchivedReceipt } from '../receipt';
import { namedWrite } from '../records/reference';
import { keyOfReceipt, keysIn, sameAs } from './paid/keys';
import type { Moved, SentRecord } from './source';

/** The four sources of a reconciliation, in a database of its own. */
export type Tables = { database: Database.Database } & ReturnType<typeof recordTable> &
  ReturnType<typeof movementTable> &
  ReturnType<typeof receiptTable> &
  ReturnType<typeof orderTable>;

/** Creates the tables that a reconciliation joins. */
export function createTables(database: Database.Database): Tables {
  return {
    database,
    ...recordTable(database),
    ...movementTable(database),
    ...receiptTable(database),
    ...orderTable(database),
  };
}

/** The service's records, and the keys of the payments that they are to make. */
function recordTable(database: Database.Database) {
  database.exec(`
    CREATE TABLE records (id TEXT PRIMARY KEY, txHash TEXT, source TEXT, state TEXT, refId TEXT,
      doc TEXT) WITHOUT ROWID;
    CREATE INDEX recordsOfHash ON records (txHash);
    CREATE INDEX cancelledOf ON records (source) WHERE state = 'CANCELLED';
    CREATE INDEX lostOf ON records (source) WHERE txHash = '' OR state <> 'COMPLETE';
    CREATE TABLE keys (key TEXT, id TEXT, PRIMARY KEY (key, id)) WITHOUT ROWID;`);
  const addRecord = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)');
  const addKey = database.prepare('INSERT OR IGNORE INTO keys VALUES (?, ?)');
  const open = openRecords(database);
  const add = database.transaction((records: readonly SentRecord[], areOld: boolean) => {
    for (const record of records) {
      open.note(record, areOld && finalState(record.state) === undefined);
      const { id, txHash = '', sourceAddress = '', refId = '' } = record;
      const [hash, source] = [txHash.toLowerCase(), sourceAddress.toLowerCase()];
      const state = finalState(record.state) ?? '';
      addRecord.run(id, hash, source, state, refId, JSON.stringify(record));
      for (const key of keysIn(record)) addKey.run(key, id);
    }
  });
  const ofId = docs<SentRecord>(database, 'SELECT doc FROM records WHERE id = ?');
  const named = "SELECT refId FROM records WHERE refId <> ''";
  const references = database.prepare(named);
  const paid = database.prepare(`${named} AND state = 'COMPLETE'`);
  return {
    /** Old ones that are not final stay open, until they are kept again. */
    keepRecords: (records: readonly SentRecord[], { areOld = false } = {}): void =>
      add(records, areOld),
    oldestOpen: open.oldest,
    dropOpenBefore: open.dropBefore,
    recordOf: (id: string): SentRecord | undefined => ofId(id)[0],
    recordsOfHash: docs<SentRecord>(database, 'SELECT doc FROM records WHERE txHash = ?'),
    /** Records whose reference or batch has a key. */
    recordsOfKey: docs<SentRecord>(
      database,
      'SELECT doc FROM keys JOIN records USING (id) WHERE key = ? ORDER BY id',
    ),
    /** The cancelled transactions of a wallet, by its address in lower case. */
    cancelledOf: docs<SentRecord>(
      database,
      "SELECT doc FROM records WHERE source = ? AND state = 'CANCELLED'",
    ),
    /** Records not complete or without a hash. Their effect may be elsewhere on the chain. */
    lostOf: docs<SentRecord>(
      database,
      "SELECT doc FROM records WHERE source = ? AND (txHash = '' OR state <> 'COMPLETE') ORDER BY id",
    ),
    /** True if a record with a reference of ours shows success. Other programs have no receipts. */
    hasPaid: (): boolean => {
      for (const refId of textsIn(paid.iterate(), 'refId')) if (namedWrite(refId)) return true;
      return false;
    },
    /** The references of all records, ours and others. */
    references: (): Iterable<string> => textsIn(references.iterate(), 'refId'),
    records: (): Iterable<SentRecord> => docsIn(database, 'SELECT doc FROM records ORDER BY id'),
  };
}

/** A movement, and the id of its record. That is empty for one without a record. */
type Kept<Movement = Moved> = { id: string; moved: Movement };

/** All that has left the wallets, in the order of the chain. Gas has no `same`. */
function movementTable(database: Database.Database) {
  database.exec(`
    CREATE TABLE movements (at INTEGER PRIMARY KEY, id TEXT, txHash TEXT, logIndex INTEGER,
      mark TEXT, same TEXT, doc TEXT);
    CREATE INDEX movementsOf ON movements (id);
    CREATE INDEX movementsLike ON movements (same) WHERE same <> '';`);
  const add = database.prepare('INSERT INTO movements VALUES (NULL, ?, ?, ?, ?, ?, ?)');
  const keep = database.transaction((found: readonly Kept<Omit<Moved, 'at'>>[]) => {
    for (const { id, moved } of found) {
      const { txHash, logIndex = null, mark = '', kind } = moved;
      const same = kind === 'transfer' ? sameAs(moved) : '';
      add.run(id, txHash, logIndex, mark, same, JSON.stringify(moved));
    }
  });
  const of = database.prepare('SELECT * FROM movements WHERE id = ? ORDER BY at');
  const lone = database.prepare("SELECT * FROM movements WHERE id = '' ORDER BY at");
  return {
    keepMovements: (found: readonly Kept<Omit<Moved, 'at'>>[]): void => keep(found),
    movementsOf: (id: string): Moved[] => [...keptIn(of.all(id))].map(({ moved }) => moved),
    /** The movements of which the service has no record. */
    unrecorded: (): Iterable<Kept> => keptIn(lone.iterate()),
  };
}

/** The receipts of the archive, and the marks that their attempts have in batches. */
function receiptTable(database: Database.Database) {
  database.exec(`
    CREATE TABLE receipts (id TEXT, txHash TEXT, logIndex INTEGER, mark TEXT, key TEXT, doc TEXT);
    CREATE INDEX receiptsOf ON receipts (id);
    CREATE INDEX receiptsAt ON receipts (txHash, logIndex);
    CREATE INDEX receiptsMarked ON receipts (mark) WHERE mark <> '';`);
  const add = database.prepare('INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?)');
  const keep = database.transaction((receipts: readonly ArchivedReceipt[]) => {
    for (const one of receipts) {
      const { txHash = '', logIndex = null } = one.chain;
      const place = [txHash.toLowerCase(), logIndex];
      const names = [receiptMark(one), keyOfReceipt(one)];
      add.run(one.transactionId, ...place, ...names, JSON.stringify(one));
    }
  });
  const at = docs<ArchivedReceipt>(
    database,
    'SELECT doc FROM receipts WHERE txHash = ? AND logIndex = ?',
  );
  const marked = docs<ArchivedReceipt>(
    database,
    "SELECT doc FROM receipts WHERE mark = ? AND mark <> ''",
  );
  const orphans = `SELECT receipts.doc FROM receipts
    LEFT JOIN records ON records.id = receipts.id WHERE records.id IS NULL`;
  return {
    keepReceipts: (receipts: readonly ArchivedReceipt[]): void => keep(receipts),
    receiptsOf: docs<ArchivedReceipt>(database, 'SELECT doc FROM receipts WHERE id = ?'),
    /** The receipts of the log of a movement, and those of the attempt that it is of. */
    receiptsAt: ({ txHash, logIndex = -1, mark = '' }: Moved): ArchivedReceipt[] => [
      ...at(txHash.toLowerCase(), logIndex),
      ...marked(mark),
    ],
    receipts: (): Iterable<ArchivedReceipt> => docsIn(database, 'SELECT doc FROM receipts'),
    /** Receipts of transactions that the service's list does not have. */
    receiptsAlone: (): Iterable<ArchivedReceipt> => docsIn(database, orphans),
  };
}

/** The mark that the attempt of a receipt has in a batch. Empty for a write that is no line. */
export function receiptMark({ order, step, item, generation }: ArchivedReceipt): string {
  return step === 'line' ? markOf(order.id, item, generation) : '';
}

/** The orders that Temporal knows. */
function orderTable(database: Database.Database) {
  database.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID');
  const add = database.prepare('INSERT OR IGNORE INTO orders VALUES (?, ?)');
  const any = database.prepare('SELECT 1 FROM orders LIMIT 1');
  const named = docs<KnownOrder>(database, 'SELECT doc FROM orders WHERE id = ?');
  const ending = docs<KnownOrder>(
    database,
    'SELECT doc FROM orders WHERE substr(id, -length(?1)) = ?1',
  );
  return {
    keepOrder: (order: KnownOrder): void => {
      add.run(order.id, JSON.stringify(order));
    },
    hasOrders: (): boolean => any.all().length > 0,
    /** The order of a record, if Temporal knows it. A long reference has only the end of its id. */
    orderOf: ({ refId }: Pick<SentRecord, 'refId'>): KnownOrder | undefined => {
      const own = namedWrite(refId);
      if (own === undefined) return undefined;
      const { order, step, item, hash } = own;
      const orders = order.startsWith('…') ? ending(order.slice(1)) : named(order);
      return orders.find(({ id }) => refHash({ workflowId: id, step, item }) === hash);
    },
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

/** A question for documents. */
function docs<T>(database: Database.Database, sql: string) {
  const statement = database.prepare(sql).pluck();
  return (...values: (string | number)[]): T[] =>
    statement.all(...values).map((doc) => JSON.parse(String(doc)));
}

/** One column of rows as texts. */
export function* textsIn(rows: Iterable<unknown>, column: string): Generator<string> {
  for (const row of rows) if (isRecord(row)) yield String(row[column]);
}

/** Documents, one at a time. */
function* docsIn<T>(database: Database.Database, sql: string): Generator<T> {
  for (const row of database.prepare(sql).iterate()) {
    if (isRecord(row)) yield JSON.parse(String(row.doc));
  }
}

function* keptIn(rows: Iterable<unknown>): Generator<Kept> {
  for (const row of rows) {
    if (!isRecord(row)) continue;
    yield { id: String(row.id), moved: { ...JSON.parse(String(row.doc)), at: Number(row.at) } };
  }
}
