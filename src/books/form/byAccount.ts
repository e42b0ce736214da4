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

/** Texts by their accounts, each account where its first text was. */
export type AccountTexts = {
  names: string[];
  texts: number;
  textsOf(name: string): Generator<string>;
  lastOf(name: string): string;
  close(): void;
};

/** Sorts rows by their accounts. */
export async function sortByAccount(rows: AsyncIterable<StatementRow>): Promise<Accounts> {
  const sorted = await sortTexts(rows, (row) => {
    return { account: `${row.wallet} ${row.token}`, text: JSON.stringify(row) };
  });
  return {
    names: sorted.names.sort(),
    rows: sorted.texts,
    rowsOf: function* (name) {
      for (const text of sorted.textsOf(name)) yield JSON.parse(text);
    },
    closingOf: (name) => JSON.parse(sorted.lastOf(name)),
    close: sorted.close,
  };
}

/**
 * Sorts texts by their accounts. They wait in a file of its own, so that a million need no memory.
 * An item without a text is left out.
 */
export async function sortTexts<T>(
  items: AsyncIterable<T>,
  textOf: (item: T) => { account: string; text: string } | undefined,
): Promise<AccountTexts> {
  const scratch = openScratch();
  try {
    const { database } = scratch;
    database.exec(`CREATE TABLE rows (account TEXT, place INTEGER, doc TEXT,
      PRIMARY KEY (account, place)) WITHOUT ROWID`);
    const add = database.prepare('INSERT INTO rows VALUES (?, ?, ?)');
    const names = new Set<string>();
    let place = 0;
    // A commit for each row takes longer than the row.
    database.exec('BEGIN');
    for await (const item of items) {
      const told = textOf(item);
      if (told === undefined) continue;
      place += 1;
      names.add(told.account);
      add.run(told.account, place, told.text);
    }
    database.exec('COMMIT');
    const ofAccount = 'SELECT doc FROM rows WHERE account = ? ORDER BY place';
    const forward = database.prepare(ofAccount);
    const backward = database.prepare(`${ofAccount} DESC LIMIT 1`);
    return {
      names: [...names],
      texts: place,
      textsOf: function* (name) {
        for (const found of forward.iterate(name)) yield textIn(found);
      },
      lastOf: (name) => textIn(backward.get(name)),
      close: scratch.close,
    };
  } catch (error) {
    scratch.close();
    throw error;
  }
}

function textIn(found: unknown): string {
  if (!isRecord(found)) throw new Error('A row of a statement is gone from its database.');
  return String(found.doc);
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
