import { createHash } from 'node:crypto';
import type Database from 'libsql';
import { isRecord } from '../custody/isRecord';
import { finalState } from '../custody/objects/state';
import type { Transaction } from '../custody/objects/transaction';
import { endingDigits } from '../custody/readable';
import { readBatches, readReference } from '../custody/reference';

const answered = [
  ...(['id', 'blockchain', 'state', 'createDate', 'walletId', 'sourceAddress'] as const),
  ...(['destinationAddress', 'tokenId', 'amounts', 'contractAddress'] as const),
  ...(['abiFunctionSignature', 'abiParameters', 'txHash', 'userOpHash'] as const),
  ...(['errorReason', 'errorDetails'] as const),
];
const kept = [
  ...answered,
  ...(['transactionType', 'operation', 'updateDate', 'refId'] as const),
  ...(['networkFee', 'blockHeight'] as const),
];

/** As much of a record as a look-up answers. It goes into histories, and so has to be short. */
export type IndexedRecord = Pick<Transaction, (typeof answered)[number]>;

/** As much of a record as is kept: all that the books need. */
export type KeptRecord = Pick<Transaction, (typeof kept)[number]>;

/** A record, and what its reference names. */
export type Entry = { hash: string; generation: number; record: IndexedRecord };

/** The part of the list that is kept: all from the newest record of a reading downwards. */
export type Extent = {
  newestMs: number;
  newestId?: string | undefined;
  /** The last record of a first pass that is not complete. */
  afterId?: string | undefined;
};

/** The records of one account that carry a reference of ours. */
export type Records = {
  count(): number;
  extent(): Extent | undefined;
  /** Keeps records, and the extent that holds with them. A final record stays as it is. */
  keep(records: readonly Transaction[], extent?: Extent): void;
  withHash(hash: string): Entry[];
  /** The record whose id ends with these digits. */
  withEnding(ending: string): IndexedRecord | undefined;
  /** Records by the time of their creation, the end excluded. One of a batch comes twice. */
  createdIn(fromMs: number, untilMs: number): Iterable<KeptRecord>;
};

/** Raised when other fields are kept. An index of an earlier version is built again. */
const version = 2;

/**
 * The records of one account in a database. Each account has a table of its own, so that no process
 * can take another account's records for its own.
 */
export function recordsOf(account: string, database: Database.Database): Records {
  const name = createHash('sha256').update(account).digest('hex').slice(0, 16);
  const tables = `accountIndex${version}`;
  const table = `${tables}_${name}`;
  const ending = `substr(id, -${endingDigits})`;
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${tables}
      (account TEXT PRIMARY KEY, newestMs INTEGER, isWhole INTEGER, extent TEXT);
    CREATE TABLE IF NOT EXISTS ${table}
      (hash TEXT, id TEXT, generation INTEGER, isFinal INTEGER, createdMs INTEGER, doc TEXT,
      PRIMARY KEY (hash, id)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${table}_ending ON ${table} (${ending});
    CREATE INDEX IF NOT EXISTS ${table}_created ON ${table} (createdMs);`);
  const statements = {
    add: database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?, ?, ?, ?, ?, ?)`),
    change: database.prepare(
      `UPDATE ${table} SET isFinal = ?, doc = ? WHERE hash = ? AND id = ? AND isFinal = 0`,
    ),
    // Several processes may share a file. None takes back what another one has completed.
    extend: database.prepare(
      `INSERT INTO ${tables} AS old VALUES ('${name}', ?, ?, ?) ON CONFLICT DO UPDATE
       SET newestMs = excluded.newestMs, isWhole = excluded.isWhole, extent = excluded.extent
       WHERE old.isWhole = 0 OR (excluded.isWhole = 1 AND excluded.newestMs >= old.newestMs)`,
    ),
  };
  const texts = (sql: string) => {
    const statement = database.prepare(sql).pluck();
    return (...parameters: string[]): string[] => statement.all(...parameters).map(String);
  };
  const extents = texts(`SELECT extent FROM ${tables} WHERE account = '${name}'`);
  const entry = "json_object('hash', hash, 'generation', generation, 'record', json(doc))";
  const withHash = texts(`SELECT ${entry} FROM ${table} WHERE hash = ?`);
  const withEnding = texts(`SELECT doc FROM ${table} WHERE ${ending} = ?`);
  const created = database.prepare(
    `SELECT doc FROM ${table} WHERE createdMs >= ? AND createdMs < ? ORDER BY createdMs`,
  );
  let count = Number(texts(`SELECT COUNT(DISTINCT id) FROM ${table}`)());

  const keepOne = (record: Transaction): void => {
    const reference = readReference(record.refId);
    if (reference === undefined || record.transactionType === 'INBOUND') return;
    const { hash, generation } = reference;
    const isFinal = finalState(record.state) === undefined ? 0 : 1;
    const doc = JSON.stringify(only(kept, record));
    const place = [record.id, generation, isFinal, Date.parse(record.createDate), doc];
    const { changes } = statements.add.run(hash, ...place);
    if (changes === 0) statements.change.run(isFinal, doc, hash, record.id);
    count += changes;
    const batches = readBatches(record.refId);
    if (batches === undefined) return;
    const found = statements.add.run(batches, ...place);
    if (found.changes === 0) statements.change.run(isFinal, doc, batches, record.id);
  };

  return {
    count: () => count,
    extent: () => extents().map((text) => JSON.parse(text))[0],
    keep: (records, extent) => {
      const change = database.transaction(() => {
        for (const record of records) keepOne(record);
        if (extent === undefined) return;
        const isWhole = extent.afterId === undefined ? 1 : 0;
        statements.extend.run(extent.newestMs, isWhole, JSON.stringify(extent));
      });
      change.immediate();
    },
    withHash: (hash) =>
      withHash(hash).map((text) => {
        const entry: Entry & { record: KeptRecord } = JSON.parse(text);
        return { ...entry, record: briefly(entry.record) };
      }),
    withEnding: (digits) => withEnding(digits).map((text) => briefly(JSON.parse(text)))[0],
    createdIn: function* (fromMs, untilMs) {
      for (const row of created.iterate(fromMs, untilMs)) {
        if (isRecord(row)) yield JSON.parse(String(row.doc));
      }
    },
  };
}

/** The fields of a record that a look-up answers. */
export function briefly(record: KeptRecord): IndexedRecord {
  const { id, blockchain, state, createDate } = record;
  return { id, blockchain, state, createDate, ...only(answered, record) };
}

/** Those of the fields that are known. */
function only<Name extends keyof KeptRecord>(
  fields: readonly Name[],
  record: KeptRecord,
): Partial<KeptRecord> {
  const known = fields.flatMap((field) => (record[field] ? [[field, record[field]]] : []));
  return Object.fromEntries(known);
}
