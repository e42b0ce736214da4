import type Database from 'libsql';
import { createCollection } from './collection';
import { openDatabase } from './database';
import { broadcastQueries } from './records/broadcasts';
import { noticeQueries } from './records/notices';
import { receivedTokens } from './records/receivedTokens';
import type { BlockRow } from './records/records';
import { transactionQueries } from './records/transactionQueries';
import { isEmpty, loadRecords, saveSnapshot } from './snapshotFile';
import { atomically, createStatements } from './statements';
import { tables } from './tables';

/** The result of the first use of a key. */
export type KeptAnswer = {
  endpoint: string;
  /** Hash of the request's input. It shows another request under the same key. */
  inputHash: string;
  /** Missing where the first use was refused, and has burnt the key. */
  answer?: string;
  createdAtMs: number;
};

/** Records that the running service works with. */
export type Store = ReturnType<typeof createStore>;

/** All the records there are, for as long as the sandbox runs. */
export type Records = ReturnType<typeof openStore>;

/** Opens the store in a folder, or in memory. What was committed survives a killed process. */
export function openStore(dataDir: string | undefined) {
  const database = openDatabase(dataDir);
  return {
    ...createStore(database),
    /** Another store over the same records, which is of no use once the signal is aborted. */
    until: (ended: AbortSignal): Store => createStore(database, ended),
    isEmpty: () => isEmpty(database),
    /** Writes all records into a new file, with these facts beside them. */
    save: (file: string, facts: object) => saveSnapshot(database, file, facts),
    /**
     * Puts the records of such a file in the place of these, all or none. What stores remember of
     * the old ones is not forgotten: they should have ended.
     */
    load: (file: string) => loadRecords(database, file),
    close: () => void database.close(),
  };
}

/** A store over a database. Once `ended`, it does nothing any more but throw the reason. */
function createStore(database: Database.Database, ended?: AbortSignal) {
  const run = createStatements(database, ended);
  const collections = {
    walletSets: createCollection(run, tables.walletSets),
    wallets: createCollection(run, tables.wallets),
    transactions: { ...createCollection(run, tables.transactions), ...transactionQueries(run) },
    contracts: createCollection(run, tables.contracts),
    monitors: createCollection(run, tables.monitors),
    eventLogs: createCollection(run, tables.eventLogs),
    broadcasts: { ...createCollection(run, tables.broadcasts), ...broadcastQueries(run) },
    tokens: createCollection(run, tables.tokens),
    subscriptions: createCollection(run, tables.subscriptions),
    notices: { ...createCollection(run, tables.notices), ...noticeQueries(run) },
    monitoredTokens: createCollection(run, tables.monitoredTokens),
  };
  return {
    ...collections,
    receivedTokens: receivedTokens(run),
    blocks: {
      insert: (block: BlockRow): void => {
        run.write('INSERT INTO blocks VALUES (?, ?)', block.number, JSON.stringify(block));
      },
      update: (block: BlockRow): void => {
        run.write(
          'UPDATE blocks SET doc = ? WHERE number = ?',
          JSON.stringify(block),
          block.number,
        );
      },
      get: (number: number) =>
        run.docs<BlockRow>('SELECT doc FROM blocks WHERE number = ?', number)[0],
      /** The blocks with a number above this one, in their order. */
      above: (number: number) =>
        run.docs<BlockRow>('SELECT doc FROM blocks WHERE number > ? ORDER BY number', number),
      /** The last blocks, newest first. */
      newest: (count: number) =>
        run.docs<BlockRow>('SELECT doc FROM blocks ORDER BY number DESC LIMIT ?', count),
    },
    keys: {
      get: (key: string) => run.docs<KeptAnswer>('SELECT doc FROM keys WHERE key = ?', key)[0],
      insert: (key: string, kept: KeptAnswer): void => {
        run.write('INSERT OR REPLACE INTO keys VALUES (?, ?)', key, JSON.stringify(kept));
      },
      /** The keys whose answer names a record. */
      naming: (id: string) => run.texts('SELECT key AS text FROM keys WHERE instr(doc, ?) > 0', id),
      remove: (key: string): void => {
        run.write('DELETE FROM keys WHERE key = ?', key);
      },
    },
    /** True the first time a ciphertext is seen, and never again. */
    seeCiphertext: (hash: string) =>
      run.write('INSERT OR IGNORE INTO ciphertexts VALUES (?)', hash) === 1,
    setting: (name: string) => run.text('SELECT value AS text FROM settings WHERE name = ?', name),
    setSetting: (name: string, value: string): void => {
      run.write('INSERT OR REPLACE INTO settings VALUES (?, ?)', name, value);
    },
    /** Everything inside happens, or nothing. */
    atomically: <T>(work: () => T): T => {
      ended?.throwIfAborted();
      try {
        return atomically(database, work);
      } catch (error) {
        for (const { forget } of Object.values(collections)) forget();
        throw error;
      }
    },
  };
}
