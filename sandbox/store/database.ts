import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ConfigError } from '../../src/variables';
import { atomically, createStatements } from './statements';
import { schema, schemaVersion } from './tables';

/** The database in a folder, or in memory, with all tables. */
export function openDatabase(dataDir: string | undefined): Database.Database {
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
  return database;
}

/** Makes the tables where there are none. What was written with other tables is not opened. */
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
export function otherVersion(dataDir: string | undefined): ConfigError {
  return new ConfigError(
    `SANDBOX_DATA_DIR: the records in ${dataDir} were written by another version of the ` +
      'sandbox. Remove that folder to start afresh, or name another one.',
  );
}
