import type Database from 'libsql';
import { type Collection, createCollection } from './collection';
import { openDatabase } from './database';
import type { Table } from './list';
import { type BroadcastQueries, broadcastQueries } from './records/broadcasts';
import { type NoticeQueries, noticeQueries } from './records/notices';
import type { BlockRow } from './records/records';
import { type TransactionQueries, transactionQueries } from './records/transactionQueries';
import { type WalletItems, walletItems } from './records/walletItems';
import { isEmpty, loadRecords, saveSnapshot } from './snapshotFile';
import { atomically, createStatements } from './statements';
import { tables } from './tables';

/** The result of the first use of a key. */
export type KeptAnswer = {
  endpoint: string;
  /** Of the input it came with, to know another one by. */
  inputHash: string;
  /** Missing where the first use was refused, and has burnt the key. */
  answer?: string;
  createdAtMs: number;
};

type Of<Name extends keyof typeof tables> =
  (typeof tables)[Name] extends Table<infer Row, infer Column>
    ? Row extends { id: string }
      ? Collection<Row, Column>
      : never
    : never;

export type Store = {
  walletSets: Of<'walletSets'>;
  wallets: Of<'wallets'>;
  transactions: Of<'transactions'> & TransactionQueries;
  contracts: Of<'contracts'>;
  monitors: Of<'monitors'>;
  eventLogs: Of<'eventLogs'>;
  broadcasts: Of<'broadcasts'> & BroadcastQueries;
  tokens: Of<'tokens'>;
  subscriptions: Of<'subscriptions'>;
  notices: Of<'notices'> & NoticeQueries;
  monitoredTokens: Of<'monitoredTokens'>;
  /** The tokens, other than built-in ones, that wallets have received. */
  walletTokens: {
    add(walletId: string, tokenId: string): void;
    /** The ids of a wallet's tokens, in the order in which they came first. */
    of(walletId: string): string[];
  };
  walletItems: WalletItems;
  blocks: {
    insert(block: BlockRow): void;
    update(block: BlockRow): void;
    /** Those with a number above this one, in their order. */
    above(number: number): BlockRow[];
    /** The last ones, newest first. */
    newest(count: number): BlockRow[];
  };
  keys: { get(key: string): KeptAnswer | undefined; insert(key: string, kept: KeptAnswer): void };
  /** True the first time a ciphertext is seen, and never again. */
  seeCiphertext(hash: string): boolean;
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): void;
  /** Everything inside happens, or nothing. */
  atomically<T>(work: () => T): T;
  /** Another store over the same records, which is of no use once the signal is aborted. */
  until(ended: AbortSignal): Store;
  isEmpty(): boolean;
  /** Writes all records into a new file, with these facts beside them. */
  save(file: string, facts: object): void;
  /**
   * Puts the records of such a file in the place of these, all or none. What stores remember of
   * the old ones is not forgotten: they should have ended.
   */
  load(file: string): void;
  close(): void;
};

/** Opens the store in a folder, or in memory. What was committed survives a killed process. */
export function openStore(dataDir: string | undefined): Store {
  return createStore(openDatabase(dataDir));
}

/** A store over a database. Once `ended`, it does nothing any more but throw the reason. */
function createStore(database: Database.Database, ended?: AbortSignal): Store {
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
    walletTokens: {
      add: (walletId, tokenId) => {
        run.write(
          'INSERT OR IGNORE INTO walletTokens (walletId, tokenId) VALUES (?, ?)',
          walletId,
          tokenId,
        );
      },
      of: (walletId) =>
        run.texts(
          'SELECT tokenId AS text FROM walletTokens WHERE walletId = ? ORDER BY seq',
          walletId,
        ),
    },
    walletItems: walletItems(run),
    blocks: {
      insert: (block) => {
        run.write('INSERT INTO blocks VALUES (?, ?)', block.number, JSON.stringify(block));
      },
      update: (block) => {
        run.write(
          'UPDATE blocks SET doc = ? WHERE number = ?',
          JSON.stringify(block),
          block.number,
        );
      },
      above: (number) =>
        run.docs<BlockRow>('SELECT doc FROM blocks WHERE number > ? ORDER BY number', number),
      newest: (count) =>
        run.docs<BlockRow>('SELECT doc FROM blocks ORDER BY number DESC LIMIT ?', count),
    },
    keys: {
      get: (key) => run.docs<KeptAnswer>('SELECT doc FROM keys WHERE key = ?', key)[0],
      insert: (key, kept) => {
        run.write('INSERT OR REPLACE INTO keys VALUES (?, ?)', key, JSON.stringify(kept));
      },
    },
    seeCiphertext: (hash) => run.write('INSERT OR IGNORE INTO ciphertexts VALUES (?)', hash) === 1,
    setting: (name) => run.text('SELECT value AS text FROM settings WHERE name = ?', name),
    setSetting: (name, value) => {
      run.write('INSERT OR REPLACE INTO settings VALUES (?, ?)', name, value);
    },
    atomically: (work) => {
      ended?.throwIfAborted();
      try {
        return atomically(database, work);
      } catch (error) {
        for (const { forget } of Object.values(collections)) forget();
        throw error;
      }
    },
    until: (signal) => createStore(database, signal),
    isEmpty: () => isEmpty(database),
    save: (file, facts) => saveSnapshot(database, file, facts),
    load: (file) => loadRecords(database, file),
    close: () => database.close(),
  };
}
