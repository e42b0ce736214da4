import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ConfigError } from '../../src/config';

/**
 * Takes a folder for this process alone, and returns what gives it back. The lock is the operating
 * system's, through an empty database that is never committed to, so it goes with a killed process.
 */
export function lockFolder(dataDir: string): () => void {
  let database: Database.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true });
    database = new Database(join(dataDir, 'sandbox.lock'));
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    throw new ConfigError(`SANDBOX_DATA_DIR: ${whyNot(dataDir, error)}`);
  }
  const held = database;
  return () => {
    held.exec('ROLLBACK');
    held.close();
  };
}

function whyNot(dataDir: string, error: unknown): string {
  if (isBusy(error)) {
    const ways = 'Stop that one, or give this one a folder of its own.';
    return `another sandbox is running in ${dataDir}. ${ways}`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `the folder ${dataDir} cannot be written to (${reason}).`;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
