import { closeSync, openSync, renameSync } from 'node:fs';
import Database from 'libsql';

/**
 * Opens the file that keeps the index, readable by its owner alone. A file that is damaged or no
 * database is put aside, since the service's list has all of it.
 */
export function openStore(path: string): Database.Database {
  closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path, { timeout: 5_000 });
  if (isSound(database)) return database;
  database.close();
  renameSync(path, `${path}.damaged`);
  return openStore(path);
}

/** A missing row would let a payment pass for one that was never made. */
function isSound(database: Database.Database): boolean {
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    const found = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    return found.quick_check === 'ok';
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') return false;
    throw error;
  }
}
