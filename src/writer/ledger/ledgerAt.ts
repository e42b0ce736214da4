import { isPostgres, postgresExample, shownUrl } from '../../store/place';
import { type Ledger, LedgerError } from './ledger';
import { openLedger, openSharedLedger } from './openLedger';
import type { LedgerOptions } from './sqlLedger';

/** Opens the ledger of a place: the path of a file, or the URL of a Postgres database. */
export async function ledgerAt(place: string, options: LedgerOptions = {}): Promise<Ledger> {
  if (!isPostgres(place)) return openLedger(place, options);
  if (shownUrl(place) !== undefined) return openSharedLedger(place, options);
  throw new LedgerError(
    `The URL of the ledger cannot be read. Write ${postgresExample}, with special characters of ` +
      'the password in percent form.',
  );
}
