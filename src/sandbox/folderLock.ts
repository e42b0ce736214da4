import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { SandboxConfigError } from './config';

/**
 * Takes a folder for this process alone, and returns what gives it back. The lock is the operating
 * system's, through an empty database that is never committed to, so it goes with a killed process.
 */
export function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const database = new Database(join(dataDir, 'sandbox.lock'));
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new SandboxConfigError(
      `SANDBOX_DATA_DIR: another sandbox is running in ${dataDir}. ` +
        'Stop that one, or give this one a folder of its own.',
    );
  }
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
