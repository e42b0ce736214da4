import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import Database from 'libsql';

/**
 * Opens the file that keeps the index, readable by its owner alone. A file that is damaged or no
 * database is put aside, since the service's list has all of it.
 */
export function openIndexFile(path: string): Database.Database {
  closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path, { timeout: 5_000 });
  if (isSound(database)) return database;
  database.close();
  renameSync(path, `${path}.damaged`);
  // The journal of the damaged file must not be replayed into the new one.
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  return openIndexFile(path);
}

/** A missing row would let a payment pass for one that was never made. */
function isSound(database: Database.Database): boolean {
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    return String(database.prepare('PRAGMA quick_check(1)').pluck().all()) === 'ok';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') return false;
    throw error;
  }
}
