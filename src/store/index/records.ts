import { createHash } from 'node:crypto';
import type Database from 'libsql';
import { isRecord } from '../../custody/isRecord';
import { claimsNoEffect } from '../../custody/objects/finalWord';
import { type Transaction, unreadableState } from '../../custody/objects/transaction';
import { readBatches, readReference } from '../../custody/reference';

const answered = [
  ...(['id', 'blockchain', 'state', 'createDate', 'walletId', 'sourceAddress'] as const),
  ...(['destinationAddress', 'tokenId', 'amounts', 'contractAddress'] as const),
  ...(['abiFunctionSignature', 'abiParameters', 'txHash', 'userOpHash'] as const),
  ...(['errorReason', 'errorDetails', 'networkFee'] as const),
];
const kept = [
  ...answered,
  ...(['transactionType', 'operation', 'updateDate', 'refId', 'blockHeight'] as const),
];

/** Number of an id's last digits by which it is found. Few records share them. */
const endingDigits = 8;

/** As much of a record as a look-up answers. It goes into histories, and so has to be short. */
export type IndexedRecord = Pick<Transaction, (typeof answered)[number]> & { updateDate?: string };

/** As much of a record as is kept: all that the books need. */
export type KeptRecord = Pick<Transaction, (typeof kept)[number]>;

/** A record, and what its reference names. */
export type Entry = { hash: string; generation: number; record: IndexedRecord };

/** The part of the list that is kept: all from the beginning of a reading downwards. */
export type Extent = {
  newestMs: number;
  /** One of the newest records of the reading. A later reading goes back to it at least. */
  newestId?: string | undefined;
  /** The last record of a first pass that is not complete. */
  afterId?: string | undefined;
  /** The place at which the reading before it began. The next one goes back to there. */
  before?: Pick<Extent, 'newestMs' | 'newestId'> | undefined;
  /** The number of times that the whole list was read, and when the last one began. */
  passes?: number | undefined;
  passedMs?: number | undefined;
};

/** The records of one account that carry a reference of ours. */
export type AccountRecords = {
  count(): number;
  extent(): Extent | undefined;
  /**
   * Keeps what the list says now, whatever it has said before, and the extent that holds with it.
   * Two words do not count: one of a record that cannot be read, and one from an older copy.
   */
  keep(records: readonly Transaction[], extent?: Extent): void;
  withHash(hash: string): Entry[];
  /** Ids of records that cannot be read, and that may have any reference. */
  unnamed(): string[];
  withId(id: string): IndexedRecord | undefined;
  /**
   * Records by the time of their creation, the end excluded, each of them once. Records without a
   * readable time belong to each period.
   */
  createdIn(fromMs: number, untilMs: number): Iterable<KeptRecord>;
};

/** Raised when other fields are kept. An index of an earlier version is built again. */
const version = 3;

/** The hash of records whose reference cannot be read. */
const noHash = '';

/**
 * The records of one account in a database. Each account has a table of its own, so that no process
 * can take another account's records for its own.
 */
export function recordsOf(account: string, database: Database.Database): AccountRecords {
  const name = createHash('sha256').update(account).digest('hex').slice(0, 16);
  const tables = `accountIndex${version}`;
  const table = `${tables}_${name}`;
  const ending = `substr(id, -${endingDigits})`;
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${tables}
      (account TEXT PRIMARY KEY, newestMs INTEGER, isWhole INTEGER, extent TEXT);
    CREATE TABLE IF NOT EXISTS ${table}
      (hash TEXT, id TEXT, generation INTEGER, createdMs INTEGER, doc TEXT,
      PRIMARY KEY (hash, id)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS ${table}_ending ON ${table} (${ending});
    CREATE INDEX IF NOT EXISTS ${table}_created ON ${table} (createdMs);`);
  const statements = {
    add: database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?, ?, ?, ?, ?)`),
    change: database.prepare(
      `UPDATE ${table} SET createdMs = ?, doc = ? WHERE hash = ? AND id = ?`,
    ),
    name: database.prepare(
      `DELETE FROM ${table} WHERE hash = '${noHash}' AND id IN (SELECT value FROM json_each(?))`,
    ),
    // Several processes may share a file. None goes back to the pass that another has completed.
    extend: database.prepare(
      `INSERT INTO ${tables} AS old VALUES ('${name}', ?, ?, ?) ON CONFLICT DO UPDATE
       SET newestMs = excluded.newestMs, isWhole = excluded.isWhole, extent = excluded.extent
       WHERE old.isWhole = 0 OR excluded.isWhole = 1`,
    ),
  };
  const texts = (sql: string) => {
    const statement = database.prepare(sql).pluck();
    return (...parameters: string[]): string[] => statement.all(...parameters).map(String);
  };
  const extents = texts(`SELECT extent FROM ${tables} WHERE account = '${name}'`);
  const entry = "json_object('hash', hash, 'generation', generation, 'record', json(doc))";
  const withHash = texts(`SELECT ${entry} FROM ${table} WHERE hash = ?`);
  const docOf = texts(`SELECT doc FROM ${table} WHERE hash = ? AND id = ?`);
  const unnamed = texts(`SELECT id FROM ${table} WHERE hash = '${noHash}'`);
  const withEnding = texts(`SELECT doc FROM ${table} WHERE ${ending} = ?`);
  const created = database.prepare(
    `SELECT id, doc FROM ${table} WHERE createdMs >= ? AND createdMs < ? OR createdMs = 0
     ORDER BY createdMs, id`,
  );
  let count = Number(texts(`SELECT COUNT(DISTINCT id) FROM ${table}`)());

  /** Keeps a record under a hash. Returns the number of records that are new there. */
  const put = (record: Transaction, hash: string, generation: number): number => {
    const doc = JSON.stringify(only(kept, record));
    const createdMs = Date.parse(record.createDate) || 0;
    const { changes } = statements.add.run(hash, record.id, generation, createdMs, doc);
    const [before] = changes === 0 ? docOf(hash, record.id) : [];
    if (before !== undefined && before !== doc && counts(record, JSON.parse(before))) {
      statements.change.run(createdMs, doc, hash, record.id);
    }
    return changes;
  };

  const keepOne = (record: Transaction): void => {
    if (record.transactionType === 'INBOUND') return;
    const reference = readReference(record.refId);
    const batches = readBatches(record.refId);
    const isUnnamed = record.state === unreadableState && record.refId === undefined;
    if (reference !== undefined) count += put(record, reference.hash, reference.generation);
    else if (isUnnamed && docWithId(record.id) === undefined) put(record, noHash, 0);
    if (reference !== undefined && batches !== undefined) {
      put(record, batches, reference.generation);
    }
  };

  const docWithId = (id: string): KeptRecord | undefined =>
    withEnding(id.slice(-endingDigits))
      .map((text) => JSON.parse(text))
      .find((doc) => doc.id === id);

  return {
    count: () => count,
    extent: () => extents().map((text) => JSON.parse(text))[0],
    keep: (records, extent) => {
      const change = database.transaction(() => {
        for (const record of records) keepOne(record);
        const readable = records.filter(({ state }) => state !== unreadableState);
        statements.name.run(JSON.stringify(readable.map(({ id }) => id)));
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
    unnamed: () => unnamed(),
    withId: (id) => {
      const doc = docWithId(id);
      return doc && briefly(doc);
    },
    createdIn: function* (fromMs, untilMs) {
      let last: unknown;
      for (const row of created.iterate(fromMs, untilMs)) {
        // The record of a batch is kept under two hashes.
        if (!isRecord(row) || row.id === last) continue;
        last = row.id;
        yield JSON.parse(String(row.doc));
      }
    },
  };
}

/** True if a word about a record takes the place of the kept one. */
function counts(record: Transaction, kept: KeptRecord): boolean {
  const [now, before] = [record, kept].map(({ updateDate }) => Date.parse(updateDate));
  // A date in the future says nothing of what is newer.
  const isNewer = before !== undefined && before <= Date.now() && Number(now) < before;
  const isOlderCopy = isNewer && claimsNoEffect(record);
  return record.state !== unreadableState && !isOlderCopy;
}

/** A service's words about an error may be a page. Answers about thousands of records have no room. */
const wordsMax = 300;

/** The fields of a record that a look-up answers. */
export function briefly(record: KeptRecord): IndexedRecord {
  const { id, blockchain, state, createDate, errorReason, errorDetails } = record;
  const brief = only([...answered, 'updateDate'], record);
  if (errorReason) brief.errorReason = errorReason.slice(0, wordsMax);
  if (errorDetails) brief.errorDetails = errorDetails.slice(0, wordsMax);
  return { id, blockchain, state, createDate, ...brief };
}

/** The fields that are known. */
function only<Name extends keyof KeptRecord>(
  fields: readonly Name[],
  record: KeptRecord,
): Partial<KeptRecord> {
  const known = fields.flatMap((field) => (record[field] ? [[field, record[field]]] : []));
  return Object.fromEntries(known);
}
