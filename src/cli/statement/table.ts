import { movedInWords, orderInWords } from '../../books/form/words';
import type { StatementRow } from '../../books/statement';
import { pc } from '../show/colors';
import { inColumns } from '../show/columns';
import { visible } from '../show/visible';

/** Rows that are laid out together, so that a statement of any size is printed as it is read. */
const rowsAtOnce = 200;
const header = ['time (UTC)', 'wallet', 'what', 'amount', 'token', 'balance', 'to or from', 'for'];
/** Columns of numbers, which stand to the right. */
const numbers = [3, 5];

/** A statement as a table for people, with addresses cut in their middle. */
export async function* inTable(
  rows: AsyncIterable<StatementRow>,
  valueIn?: string,
): AsyncGenerator<string, void> {
  const titles = valueIn === undefined ? header : [...header, valueIn];
  let some: string[][] = [];
  let isFirst = true;
  const told = (): string => {
    const text = laidOut([titles, ...some], isFirst);
    [some, isFirst] = [[], false];
    return text;
  };
  for await (const row of rows) {
    if (
      some.push([...cellsOf(row), ...(valueIn === undefined ? [] : [row.value ?? ''])]) >=
      rowsAtOnce
    )
      yield told();
  }
  if (some.length > 0) yield told();
}

function cellsOf(row: StatementRow): string[] {
  const isBalance = row.row === 'opening' || row.row === 'closing';
  const sign = row.row === 'in' ? '+' : row.row === 'out' || row.row === 'fee' ? '-' : '';
  const reason = [row.reference, orderInWords(row)].filter(Boolean).join(' · ');
  return [
    row.time.slice(0, 19).replace('T', ' '),
    short(row.wallet),
    isBalance ? row.row : row.row === 'sponsored' ? 'gas paid by others' : movedInWords(row),
    isBalance ? '' : `${sign}${row.amount}`,
    short(row.token),
    row.balance ?? (isBalance ? 'nothing proves it' : ''),
    visible([row.counterpartyName, short(row.counterparty ?? '')].filter(Boolean).join(' ')),
    visible(reason),
  ];
}

/** Addresses in a text, each by its beginning and its end. */
function short(text: string): string {
  return text.replace(/(0x[0-9a-f]{6})[0-9a-f]{30}([0-9a-f]{4})/gi, '$1…$2');
}

function laidOut(rows: readonly string[][], hasHeader: boolean): string {
  const widths = numbers.map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const aligned = rows.map((row) =>
    row.map((cell, at) => {
      const place = numbers.indexOf(at);
      return place === -1 ? cell : cell.padStart(widths[place] ?? 0);
    }),
  );
  const [first = [], ...others] = inColumns(aligned).map((row) => row.join('  ').trimEnd());
  const lines = hasHeader ? [pc.bold(String(first)), ...others] : others;
  return lines.map((line) => `${line}\n`).join('');
}
