import { closeSync, openSync, statSync } from 'node:fs';
import Database from 'libsql';
import type { Contents, OpenDatabase, Row, Work } from './work';

/** Processes of this host wait this long for each other. Their transactions take milliseconds. */
const busyMs = 5_000;

/**
 * Opens a database in a file, readable by its owner alone, and carries out the first work on it. A
 * file that is damaged is never put aside by itself. Throws the contents' fault if it cannot be
 * used.
 */
export function openFile<T>(
  path: string,
  contents: Contents,
  first: () => Work<T>,
): { database: OpenDatabase; opened: T } {
  const saying = sayingOf(path, contents);
  return saying(() => {
    if (contents.absent !== undefined && !isMade(path)) throw new contents.Fault(contents.absent);
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    const database = new Database(path, { timeout: busyMs });
    try {
      // FULL: a change that was answered outlives a loss of power.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      if (contents.isHurried !== true) refuseDamage(database, path, contents);
      const carryOut = answering(database, contents);
      const all = <R>(work: () => R): R => saying(() => inTransaction(database, work));
      const opened = all(() => carryOut(first()));
      const { change, commit } = together(database, all);
      return {
        opened,
        database: {
          change: (work) => change(() => saying(() => carryOut(work))),
          read: async (work) => saying(() => carryOut(work)),
          close: async () => {
            commit();
            database.close();
          },
        },
      };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function refuseDamage(database: Database.Database, path: string, contents: Contents): void {
  const check = String(database.prepare('PRAGMA quick_check(1)').pluck().all());
  if (check !== 'ok') throw new contents.Fault(damaged(path, contents));
}

/** False for a file that is not there, or that has nothing yet. */
function isMade(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A change that waits for its commit. Once it is carried out, it returns how to answer it. */
type Waiting = { carryOut: () => () => void; refuse: (error: unknown) => void };

/**
 * Commits changes together that are asked for at the same time, since each commit waits for the
 * disk. They are carried out one after another. A change that fails is undone alone. None is
 * answered before all are on the disk.
 */
function together(database: Database.Database, all: <T>(work: () => T) => T) {
  let waiting: Waiting[] = [];
  const commit = (): void => {
    const asked = waiting;
    waiting = [];
    if (asked.length === 0) return;
    try {
      const answers = all(() => asked.map((one) => alone(database, one)));
      for (const answer of answers) answer();
    } catch (error) {
      for (const { refuse } of asked) refuse(error);
    }
  };
  const change = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, refuse) => {
      if (waiting.length === 0) setImmediate(commit);
      const carryOut = () => {
        const result = work();
        return () => resolve(result);
      };
      waiting.push({ carryOut, refuse });
    });
  return { change, commit };
}

/** Carries out one change of several, and undoes it alone if it fails. */
function alone(database: Database.Database, { carryOut, refuse }: Waiting): () => void {
  database.exec('SAVEPOINT one');
  try {
    const answer = carryOut();
    database.exec('RELEASE one');
    return answer;
  } catch (error) {
    // On a full disk SQLite has undone all of them.
    if (!database.inTransaction) throw error;
    database.exec('ROLLBACK TO one');
    database.exec('RELEASE one');
    return () => refuse(error);
  }
}

/** On a full disk SQLite ends a transaction by itself. Then only the cause is told. */
function inTransaction<T>(database: Database.Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Makes the tables of a file, and carries out work on them. */
export function answering(
  database: Database.Database,
  { tables, indexes }: Pick<Contents, 'tables' | 'indexes'>,
): <T>(work: Work<T>) => T {
  for (const table of tables) database.exec(`${table} WITHOUT ROWID`);
  for (const index of indexes) database.exec(index);
  const prepared = new Map<string, Database.Statement>();
  const statementOf = (text: string): Database.Statement => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return (work) => {
    let step = work.next();
    while (!step.done) {
      const { text, values } = step.value;
      step = work.next(
        statementOf(text)
          .all(...values)
          .filter(isRow),
      );
    }
    return step.value;
  };
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null;
}

/** Runs database work. Its faults become sentences. */
function sayingOf(path: string, contents: Contents): <T>(work: () => T) => T {
  return (work) => {
    try {
      return work();
    } catch (error) {
      if (error instanceof contents.Fault) throw error;
      throw new contents.Fault(sentence(path, contents, error), { cause: error });
    }
  };
}

function sentence(path: string, contents: Contents, error: unknown): string {
  const { name } = contents;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return `The ${name} ${path} is locked by another process. End that process, or wait for it.`;
  }
  if (code.startsWith('SQLITE_FULL')) {
    return `The ${name} ${path} cannot grow: its disk is full. Make room on it.`;
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(path, contents);
  const reason = error instanceof Error ? error.message : String(error);
  if (reason.includes('no such column')) {
    return `The ${name} ${path} has the form of another version. ${contents.whenDamaged}`;
  }
  return `The ${name} ${path} cannot be used: ${reason}.`;
}

function damaged(path: string, { name, whenDamaged }: Contents): string {
  return `The ${name} ${path} is damaged. ${whenDamaged}`;
}
