import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

/** Another process holds the file. */
export class HeldError extends Error {
  override readonly name = 'HeldError';
}

/**
 * Takes a file for this process alone, and returns what gives it back. The lock is the operating
 * system's, through an empty database that is never committed to, so it goes with a killed process.
 */
export function lockFile(file: string): () => void {
  let database: Database.Database | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    database = new Database(file);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    throw isBusy(error) ? new HeldError(`${file} is held by another process.`) : error;
  }
  const held = database;
  return () => {
    held.exec('ROLLBACK');
    held.close();
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
