import type Database from 'libsql';
import { feeMoney } from './ledger';

export type Row = Record<string, unknown>;

export type Statements = ReturnType<typeof statementsOf>;

/** A write that holds something. Requests about others hold nothing of their own. */
const isOpen = `(state = 'open' AND about IS NULL
  AND EXISTS (SELECT 1 FROM charges WHERE charges.key = writes.key))`;

/** A write whose record this writer has not seen. */
const isUnseen = "hash = ? AND generation = ? AND state = 'open' AND transactionId IS NULL";

/** The prepared statements of a ledger, and its facts. */
export function statementsOf(database: Database.Database) {
  const prepare = (text: string) => {
    const statement = database.prepare(text);
    return {
      run: (...values: unknown[]) => statement.run(...values),
      all: (...values: unknown[]): Row[] => statement.all(...values).filter(isRow),
      get: (...values: unknown[]): Row | undefined => {
        const row = statement.get(...values);
        return isRow(row) ? row : undefined;
      },
    };
  };
  const readFact = prepare('SELECT value FROM facts WHERE name = ?');
  const fact = (name: string): string | undefined => {
    const value = readFact.get(name)?.value;
    return value === undefined ? undefined : String(value);
  };
  const keep = prepare('INSERT OR IGNORE INTO facts VALUES (?, ?)');
  const set = prepare(
    'INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    fact,
    keepFact: (name: string, value: string): string => {
      if (fact(name) === undefined) keep.run(name, value);
      return fact(name) ?? value;
    },
    setFact: (name: string, value: string) => set.run(name, value),
    byKey: prepare('SELECT * FROM writes WHERE key = ?'),
    byReference: prepare('SELECT * FROM writes WHERE hash = ? AND generation = ?'),
    later: prepare(`SELECT generation FROM writes
      WHERE hash = ?1 AND generation > ?2 AND state <> 'unsent'
      UNION SELECT generation FROM burnt WHERE hash = ?1 AND generation > ?2`),
    refuse: prepare('INSERT OR IGNORE INTO refused VALUES (?, ?)'),
    see: prepare(`UPDATE writes SET transactionId = ? WHERE ${isUnseen}`),
    isUnseen: prepare(`SELECT 1 FROM writes WHERE ${isUnseen}`),
    isRefused: prepare('SELECT 1 FROM refused WHERE hash = ? AND generation = ?'),
    requests: prepare('SELECT key FROM writes WHERE about = ?'),
    open: prepare(`SELECT * FROM writes WHERE ${isOpen} ORDER BY firstMs LIMIT ?`),
    openOrFound: prepare(`SELECT * FROM writes WHERE ${isOpen} OR (state = 'found' AND endMs > ?)
      ORDER BY firstMs LIMIT ?`),
    held: prepare(`SELECT * FROM writes WHERE ${isOpen} AND transactionId IS NULL AND firstMs < ?
      ORDER BY firstMs LIMIT ?`),
    chargesOf: prepare('SELECT * FROM charges WHERE key = ?'),
    add: prepare(`INSERT OR REPLACE INTO writes VALUES
      (?, ?, ?, ?, ?, ?, 'open', ?, 1, 0, NULL, NULL, ?, ?)`),
    addAttempt: prepare('UPDATE writes SET attempts = attempts + 1 WHERE key = ?'),
    addClean: prepare('UPDATE writes SET clean = clean + 1 WHERE key = ?'),
    accept: prepare("UPDATE writes SET transactionId = ? WHERE key = ? AND state = 'open'"),
    giveBack: prepare(`UPDATE writes SET state = 'unsent'
      WHERE key = ? AND state = 'open' AND clean >= attempts AND transactionId IS NULL`),
    end: prepare('UPDATE writes SET state = ?, endMs = ?, transactionId = ? WHERE key = ?'),
    charge: prepare("INSERT OR REPLACE INTO charges VALUES (?, ?, ?, 'open', 0, ?, ?, ?, ?)"),
    dropCharges: prepare('DELETE FROM charges WHERE key = ?'),
    endCharges: prepare('UPDATE charges SET state = ?, endMs = ? WHERE key = ?'),
    endFee: prepare(`UPDATE charges SET a = ?, b = ?, c = ?, d = ?, state = 'settled', endMs = ?
      WHERE key = ? AND money = '${feeMoney}'`),
    find: prepare('INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?)'),
    burn: prepare('INSERT OR IGNORE INTO burnt VALUES (?, ?)'),
    isBurnt: prepare('SELECT 1 FROM burnt WHERE hash = ? AND generation = ?'),
  };
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null;
}
