import { isRecord } from '../../custody/isRecord';
import { openScratch } from '../records/scratch';
import type { StatementRow } from '../statement';

/** The rows of a statement, by wallet and token. */
export type Accounts = {
  /** The accounts, each named by its wallet and token. */
  names: string[];
  /** The number of rows of all accounts. */
  rows: number;
  rowsOf(name: string): Generator<StatementRow>;
  /** The last row of an account: its closing balance. */
  closingOf(name: string): StatementRow;
  close(): void;
};

/** Sorts rows by their accounts. They wait in a file of its own, so that a million need no memory. */
export async function sortByAccount(rows: AsyncIterable<StatementRow>): Promise<Accounts> {
  const scratch = openScratch();
  try {
    const { database } = scratch;
    database.exec(`CREATE TABLE rows (account TEXT, place INTEGER, doc TEXT,
      PRIMARY KEY (account, place)) WITHOUT ROWID`);
    const add = database.prepare('INSERT INTO rows VALUES (?, ?, ?)');
    let place = 0;
    for await (const row of rows) {
      place += 1;
      add.run(`${row.wallet} ${row.token}`, place, JSON.stringify(row));
    }
    const ofAccount = 'SELECT doc FROM rows WHERE account = ? ORDER BY place';
    const forward = database.prepare(ofAccount);
    const backward = database.prepare(`${ofAccount} DESC LIMIT 1`);
    const names = database.prepare('SELECT DISTINCT account FROM rows').pluck().all().map(String);
    return {
      names,
      rows: place,
      rowsOf: function* (name) {
        for (const found of forward.iterate(name)) yield rowIn(found);
      },
      closingOf: (name) => rowIn(backward.get(name)),
      close: scratch.close,
    };
  } catch (error) {
    scratch.close();
    throw error;
  }
}

function rowIn(found: unknown): StatementRow {
  if (!isRecord(found)) throw new Error('A row of a statement is gone from its database.');
  return JSON.parse(String(found.doc));
}

/**
 * True if something proves the balances of an account. A listed token always has them. Any other
 * contract may log what never happened, and tell no balance.
 */
export function isProven(rows: Iterable<StatementRow>): boolean {
  for (const { contract, row, balanceBaseUnits } of rows) {
    if (contract === undefined) return true;
    const isEnd = row === 'opening' || row === 'closing';
    if (isEnd && balanceBaseUnits === undefined) return false;
  }
  return true;
}
