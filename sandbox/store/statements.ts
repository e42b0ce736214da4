import type Database from 'libsql';

/** A value of a statement's parameter. */
export type Parameter = string | number | null;

export type Statements = ReturnType<typeof createStatements>;

/** Statements in SQL, each prepared once. Once `ended`, each of them throws the reason. */
export function createStatements(database: Database.Database, ended?: AbortSignal) {
  const prepared = new Map<string, Database.Statement<Parameter[]>>();
  const prepare = (sql: string): Database.Statement<Parameter[]> => {
    ended?.throwIfAborted();
    const statement = prepared.get(sql) ?? database.prepare<Parameter[]>(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const rows = (sql: string, parameters: Parameter[]) =>
    prepare(sql).all(...parameters) as { doc?: string; text?: string; number?: number }[];
  return {
    /** Runs a change. Returns how many rows it touched. */
    write: (sql: string, ...parameters: Parameter[]): number =>
      prepare(sql).run(...parameters).changes,
    docs: <Row>(sql: string, ...parameters: Parameter[]): Row[] =>
      rows(sql, parameters).map(({ doc = '{}' }) => JSON.parse(doc)),
    /** The numbers that a statement selects as `number`. */
    numbers: (sql: string, ...parameters: Parameter[]) =>
      rows(sql, parameters).flatMap(({ number }) => number ?? []),
    /** The first of them. */
    number: (sql: string, ...parameters: Parameter[]) =>
      rows(sql, parameters)[0]?.number ?? undefined,
    /** The texts that a statement selects as `text`. */
    texts: (sql: string, ...parameters: Parameter[]) =>
      rows(sql, parameters).flatMap(({ text }) => text ?? []),
    text: (sql: string, ...parameters: Parameter[]) => rows(sql, parameters)[0]?.text ?? undefined,
  };
}

/** Everything inside happens, or nothing. */
export function atomically<T>(database: Database.Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // A full disk has taken everything back already. What went wrong first is what counts.
    }
    throw error;
  }
}
