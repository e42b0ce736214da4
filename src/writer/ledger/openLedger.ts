import { openFile } from '../../store/openFile';
import { openPostgres } from '../../store/openPostgres';
import type { Contents } from '../../store/work';
import { type Ledger, LedgerError } from './ledger';
import { beginLedger, type LedgerOptions, sqlLedger } from './sqlLedger';
import { indexes, ledgerTables, newestTable } from './tables';

/** The contents of a ledger. */
export const ledgerContents: Contents = {
  name: 'ledger',
  schema: 'steadfast_ledger',
  // "ledger" as bytes.
  lockId: 0x6c_65_64_67_65_72,
  tables: ledgerTables,
  indexes,
  newestTable,
  whenDamaged:
    'Restore it from a backup, or move it away: a new one is built from what the service has, and ' +
    'all approvals are void.',
  Fault: LedgerError,
};

/**
 * Opens the file that keeps a ledger, readable by its owner alone. A file that is damaged is never
 * put aside by itself: what it knew decides what may be paid.
 */
export function openLedger(path: string, options: LedgerOptions = {}): Ledger {
  const { database, opened } = openFile(path, wanted(options), () => beginLedger(options));
  return sqlLedger(database, { ...options, ...opened });
}

/** Opens the ledger in a Postgres database, for writers on several hosts. */
export async function openSharedLedger(url: string, options: LedgerOptions = {}): Promise<Ledger> {
  const { database, opened } = await openPostgres(url, wanted(options), () => beginLedger(options));
  return sqlLedger(database, { ...options, ...opened });
}

function wanted({ absent }: LedgerOptions): Contents {
  return absent === undefined ? ledgerContents : { ...ledgerContents, absent };
}
