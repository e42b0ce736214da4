import { closeSync, openSync } from 'node:fs';
import Database from 'libsql';
import { type Ledger, LedgerError } from './ledger';
import { sqlLedger } from './sqlLedger';

/** Other writers of this host wait so long for each other. Their transactions take milliseconds. */
const busyMs = 5_000;

export type LedgerOptions = {
  /** Time for which the service remembers an idempotency key. The default is what writers gave. */
  keyLifetimeMs?: number;
  clock?: () => number;
};

/**
 * Opens the file that keeps a ledger, readable by its owner alone. A file that is damaged is never
 * put aside by itself: what it knew decides what may be paid.
 */
export function openLedger(path: string, options: LedgerOptions = {}): Ledger {
  return saying(path, () => {
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
    const database = new Database(path, { timeout: busyMs });
    try {
      // FULL: a reservation that was answered outlives a loss of power.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      const check = String(database.prepare('PRAGMA quick_check(1)').pluck().all());
      if (check !== 'ok') throw new LedgerError(damaged(path));
      const run = <T>(work: () => T): T => saying(path, work);
      return sqlLedger(database, { ...options, run });
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Runs database work. Its faults become sentences. */
function saying<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw new LedgerError(sentence(path, error), { cause: error });
  }
}

function sentence(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return `The ledger ${path} is locked by another process. End that process, or wait for it.`;
  }
  if (code.startsWith('SQLITE_FULL')) {
    return `The ledger ${path} cannot grow: its disk is full. Make room on it.`;
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return damaged(path);
  const reason = error instanceof Error ? error.message : String(error);
  return `The ledger ${path} cannot be used: ${reason}.`;
}

function damaged(path: string): string {
  return (
    `The ledger ${path} is damaged. Restore it from a backup, or move it away: ` +
    'a new one is built from what the service has, and all approvals are void.'
  );
}
