import type { StatementRow } from '../statement';
import { accountIdOf } from './accountId';
import { isProven, sortByAccount } from './byAccount';
import { cellOf } from './csv';
import { movedInWords, orderInWords, placeInWords } from './words';

/** Files of one wallet and token each, and the number of accounts of tokens that nothing proves. */
export type BankFiles = { files: { name: string; text: Iterable<string> }[]; left: number };

/**
 * The movements of each wallet and token as a file of its own, as QuickBooks and its like read
 * them. A row has a date, a description and an amount, which is below zero for what goes out.
 * An account without movements has no file, nor has one of a token that nothing proves. The files
 * can be read until they are written.
 */
export async function inBankCsv<Written>(
  rows: AsyncIterable<StatementRow>,
  { blockchain }: { blockchain: string },
  write: (all: BankFiles) => Promise<Written>,
): Promise<Written> {
  const accounts = await sortByAccount(rows);
  try {
    const some = accounts.names.filter((name) => isProven(accounts.rowsOf(name)));
    const moved = some.filter((name) => hasMoved(accounts.rowsOf(name)));
    const files = moved.map((name) => {
      const closing = accounts.closingOf(name);
      const id = accountIdOf({ ...closing, holder: closing.wallet, blockchain });
      return { name: `${id}.csv`, text: linesOf(accounts.rowsOf(name)) };
    });
    return await write({ files, left: accounts.names.length - some.length });
  } finally {
    accounts.close();
  }
}

function hasMoved(rows: Iterable<StatementRow>): boolean {
  for (const row of rows) if (isMovement(row)) return true;
  return false;
}

/** Gas that somebody else has paid moves nothing. */
function isMovement({ row }: StatementRow): boolean {
  return row === 'in' || row === 'out' || row === 'fee';
}

function* linesOf(rows: Iterable<StatementRow>): Generator<string> {
  yield 'Date,Description,Amount\n';
  for (const row of rows) {
    if (!isMovement(row)) continue;
    const amount = row.row === 'in' ? row.amount : `-${row.amount}`;
    yield `${[row.time.slice(0, 10), cellOf(description(row)), amount].join(',')}\n`;
  }
}

/** It begins with a word of ours, so that no spreadsheet runs it as a formula. */
function description(row: StatementRow): string {
  const { counterparty, counterpartyName: name, reference } = row;
  const side = row.row === 'in' ? 'from' : 'to';
  const whose = name === undefined ? '' : ` ${name}`;
  const party = counterparty === undefined ? '' : ` ${side}${whose} ${counterparty}`;
  const words = [`${movedInWords(row)}${party}`, reference, orderInWords(row), placeInWords(row)];
  return words.filter(Boolean).join(' · ');
}
