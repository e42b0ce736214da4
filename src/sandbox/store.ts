import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type {
  BlockRow,
  BroadcastRow,
  ContractRow,
  TransactionRow,
  WalletRow,
  WalletSetRow,
} from './records';

type Parameter = string | number | null;

/** Records of one noun, kept as JSON with a few columns to find them by; in order of creation. */
export type Collection<Row extends { id: string }> = {
  insert(row: Row): void;
  get(id: string): Row | undefined;
  /** Replaces some fields of a record that exists. */
  update(id: string, fields: Partial<Row>): Row;
  /** Records whose column has the value, oldest first. */
  where(column: string, value: string): Row[];
  /** Newest first, as the service lists them; `after` is the id of the last one already seen. */
  newest(limit: number, after?: string): Row[];
};

/** The answer that a key was first given. */
export type KeptAnswer = { endpoint: string; answer: string; createdAtMs: number };

export type Store = {
  walletSets: Collection<WalletSetRow>;
  wallets: Collection<WalletRow>;
  transactions: Collection<TransactionRow>;
  contracts: Collection<ContractRow>;
  broadcasts: Collection<BroadcastRow>;
  blocks: {
    insert(block: BlockRow): void;
    update(block: BlockRow): void;
    /** Those with a number above this one, in their order. */
    above(number: number): BlockRow[];
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

const schema = `
  CREATE TABLE IF NOT EXISTS walletSets (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, doc TEXT);
  CREATE TABLE IF NOT EXISTS wallets
    (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, address TEXT, walletSetId TEXT, doc TEXT);
  CREATE TABLE IF NOT EXISTS transactions
    (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, stage TEXT, walletId TEXT, txHash TEXT, doc TEXT);
  CREATE TABLE IF NOT EXISTS contracts
    (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, contractAddress TEXT, status TEXT, doc TEXT);
  CREATE TABLE IF NOT EXISTS broadcasts
    (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, sender TEXT, status TEXT, doc TEXT);
  CREATE TABLE IF NOT EXISTS blocks (number INTEGER PRIMARY KEY, doc TEXT);
  CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, doc TEXT);
  CREATE TABLE IF NOT EXISTS ciphertexts (hash TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS walletsByAddress ON wallets (address);
  CREATE INDEX IF NOT EXISTS walletsBySet ON wallets (walletSetId);
  CREATE INDEX IF NOT EXISTS transactionsByStage ON transactions (stage);
  CREATE INDEX IF NOT EXISTS transactionsByHash ON transactions (txHash);
  CREATE INDEX IF NOT EXISTS broadcastsByStatus ON broadcasts (status);
`;

/** Opens the store in a folder, or in memory; what was committed survives a killed process. */
export function openStore(dataDir: string | undefined): Store {
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });
  const database = new Database(dataDir === undefined ? ':memory:' : join(dataDir, 'sandbox.db'));
  if (dataDir !== undefined) {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = NORMAL');
  }
  database.exec(schema);
  const run = statements(database);
  return {
    walletSets: collection<WalletSetRow>(run, 'walletSets', []),
    wallets: collection<WalletRow>(run, 'wallets', ['address', 'walletSetId']),
    transactions: collection<TransactionRow>(run, 'transactions', ['stage', 'walletId', 'txHash']),
    contracts: collection<ContractRow>(run, 'contracts', ['contractAddress', 'status']),
    broadcasts: collection<BroadcastRow>(run, 'broadcasts', ['sender', 'status']),
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
    atomically: (work) => atomically(database, work),
    close: () => database.close(),
  };
}

type Statements = {
  /** Runs a change; returns how many rows it touched. */
  write(sql: string, ...parameters: Parameter[]): number;
  docs<Row>(sql: string, ...parameters: Parameter[]): Row[];
  text(sql: string, ...parameters: Parameter[]): string | undefined;
};

function statements(database: Database.Database): Statements {
  const prepared = new Map<string, Database.Statement<Parameter[]>>();
  const prepare = (sql: string): Database.Statement<Parameter[]> => {
    const statement = prepared.get(sql) ?? database.prepare<Parameter[]>(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const rows = (sql: string, parameters: Parameter[]) =>
    prepare(sql).all(...parameters) as { doc?: string; text?: string }[];
  return {
    write: (sql, ...parameters) => prepare(sql).run(...parameters).changes,
    docs: (sql, ...parameters) => rows(sql, parameters).map(({ doc = '{}' }) => JSON.parse(doc)),
    text: (sql, ...parameters) => rows(sql, parameters)[0]?.text,
  };
}

function collection<Row extends { id: string }>(
  run: Statements,
  table: string,
  columns: readonly (keyof Row & string)[],
): Collection<Row> {
  const values = (row: Row): Parameter[] => columns.map((column) => asParameter(row[column]));
  const names = ['id', ...columns, 'doc'];
  const marks = names.map(() => '?').join(', ');
  const insertSql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`;
  const sets = [...columns, 'doc'].map((column) => `${column} = ?`).join(', ');
  const get = (id: string): Row | undefined =>
    run.docs<Row>(`SELECT doc FROM ${table} WHERE id = ?`, id)[0];
  return {
    get,
    insert: (row) => {
      run.write(insertSql, row.id, ...values(row), JSON.stringify(row));
    },
    update: (id, fields) => {
      const row = get(id);
      if (row === undefined) throw new Error(`There is no ${id} in ${table}.`);
      const next = { ...row, ...fields };
      run.write(
        `UPDATE ${table} SET ${sets} WHERE id = ?`,
        ...values(next),
        JSON.stringify(next),
        id,
      );
      return next;
    },
    where: (column, value) =>
      run.docs<Row>(`SELECT doc FROM ${table} WHERE ${column} = ? ORDER BY seq`, value),
    newest: (limit, after) =>
      after === undefined
        ? run.docs<Row>(`SELECT doc FROM ${table} ORDER BY seq DESC LIMIT ?`, limit)
        : run.docs<Row>(
            `SELECT doc FROM ${table} WHERE seq < (SELECT seq FROM ${table} WHERE id = ?)
             ORDER BY seq DESC LIMIT ?`,
            after,
            limit,
          ),
  };
}

function asParameter(value: unknown): Parameter {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

function atomically<T>(database: Database.Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
