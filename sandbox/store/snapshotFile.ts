import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import type { z } from 'zod';
import { atomically, createStatements } from './statements';
import { schemaVersion } from './tables';

/** A file that is no snapshot, or none that this version can read. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

/**
 * Writes every table into a new file, whichever tables there are, and the facts beside them. The
 * file is there only once it is whole, and holds secrets, so its owner alone may read it.
 */
export function saveSnapshot(database: Database.Database, file: string, facts: object): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, '', { mode: 0o600 });
  database.prepare('VACUUM INTO ?').run(part);
  const copy = new Database(part);
  copy.exec('CREATE TABLE snapshot (doc TEXT)');
  copy.prepare('INSERT INTO snapshot VALUES (?)').run(JSON.stringify(facts));
  copy.close();
  renameSync(part, file);
}

/** The facts of a snapshot. Throws a SnapshotError where the file is none of this version. */
export function readSnapshot<Facts>(file: string, factsSchema: z.ZodType<Facts>): Facts {
  // Opening would create it.
  if (!existsSync(file)) throw new SnapshotError(`there is no file ${file}.`);
  let database: Database.Database | undefined;
  try {
    database = new Database(file);
    const run = createStatements(database);
    const version = run.number('SELECT user_version AS number FROM pragma_user_version');
    const [facts] = run.docs('SELECT doc FROM snapshot');
    if (version === schemaVersion) return factsSchema.parse(facts);
  } catch {
    throw new SnapshotError(`${file} is not a snapshot of a sandbox.`);
  } finally {
    database?.close();
  }
  throw otherSnapshotVersion(file);
}

export function otherSnapshotVersion(file: string): SnapshotError {
  return new SnapshotError(
    `${file} was written by another version of the sandbox. Take a new one.`,
  );
}

/** Puts the records of a snapshot in the place of all that a database has: all of them, or none. */
export function loadRecords(database: Database.Database, file: string): void {
  database.prepare('ATTACH ? AS snapshotFile').run(file);
  try {
    atomically(database, () => {
      for (const name of tableNames(database)) {
        database.exec(`DELETE FROM main."${name}"`);
        database.exec(`INSERT INTO main."${name}" SELECT * FROM snapshotFile."${name}"`);
      }
    });
  } finally {
    database.exec('DETACH snapshotFile');
  }
}

/** True where nothing was ever recorded but settings, some of which a sandbox makes as it starts. */
export function isEmpty(database: Database.Database): boolean {
  const run = createStatements(database);
  const records = tableNames(database).filter((name) => name !== 'settings');
  return records.every(
    (name) => run.number(`SELECT 1 AS number FROM main."${name}" LIMIT 1`) === undefined,
  );
}

function tableNames(database: Database.Database): string[] {
  return createStatements(database).texts(
    "SELECT name AS text FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
}
