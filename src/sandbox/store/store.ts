import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { SandboxConfigError } from '../config';
import { type BroadcastQueries, broadcastQueries } from './broadcastQueries';
import { type Collection, createCollection } from './collection';
import type { Table } from './list';
import type { BlockRow } from './records';
import { atomically, createStatements } from './statements';
import { schema, schemaVersion, tables } from './tables';
import { type TransactionQueries, transactionQueries } from './transactionQueries';

/** What came of the first use of a key. */
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
  broadcasts: Of<'broadcasts'> & BroadcastQueries;
  tokens: Of<'tokens'>;
  /** What wallets have received of tokens that are not built in. */
  walletTokens: {
    add(walletId: string, tokenId: string): void;
    /** The ids of a wallet's tokens, in the order in which they came first. */
    of(walletId: string): string[];
  };
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
  close(): void;
};

/** Opens the store in a folder, or in memory; what was committed survives a killed process. */
export function openStore(dataDir: string | undefined): Store {
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const database = new Database(dataDir === undefined ? ':memory:' : join(dataDir, 'sandbox.db'));
  if (dataDir !== undefined) {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = NORMAL');
    // Pages of 4 KiB: what is under way fits, and the log is cleared away less often.
    database.exec('PRAGMA cache_size = 16384');
    database.exec('PRAGMA wal_autocheckpoint = 4096');
  }
  prepareTables(database, dataDir);
  const run = createStatements(database);
  const collections = {
    walletSets: createCollection(run, tables.walletSets),
    wallets: createCollection(run, tables.wallets),
    transactions: { ...createCollection(run, tables.transactions), ...transactionQueries(run) },
    contracts: createCollection(run, tables.contracts),
    broadcasts: { ...createCollection(run, tables.broadcasts), ...broadcastQueries(run) },
    tokens: createCollection(run, tables.tokens),
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
      try {
        return atomically(database, work);
      } catch (error) {
        for (const { forget } of Object.values(collections)) forget();
        throw error;
      }
    },
    close: () => database.close(),
  };
}

/** Makes the tables where there are none; what was written with other tables is not opened. */
function prepareTables(database: Database.Database, dataDir: string | undefined): void {
  const run = createStatements(database);
  const [version] = run.numbers('SELECT user_version AS number FROM pragma_user_version');
  const [made = 0] = run.numbers('SELECT COUNT(*) AS number FROM sqlite_master');
  if (made === 0) {
    atomically(database, () => {
      for (const statement of schema) database.exec(statement);
      database.exec(`PRAGMA user_version = ${schemaVersion}`);
    });
  } else if (version !== schemaVersion) {
    database.close();
    throw otherVersion(dataDir);
  }
}

/** The refusal of records that this sandbox cannot go on with. */
export function otherVersion(dataDir: string | undefined): SandboxConfigError {
  return new SandboxConfigError(
    `SANDBOX_DATA_DIR: the records in ${dataDir} were written by another version of the ` +
      'sandbox. Remove that folder to start afresh, or name another one.',
  );
}
