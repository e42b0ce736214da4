import type { StatementRow } from '../statement';

const columns = [
  ...(['row', 'time', 'block', 'walletId', 'wallet', 'token', 'amount', 'balance'] as const),
  ...(['counterparty', 'counterpartyName', 'order', 'line', 'linesDigest', 'reference'] as const),
  ...(['txHash', 'logIndex', 'userOpHash', 'transactionId', 'state'] as const),
  ...(['failed', 'baseUnits', 'balanceBaseUnits', 'decimals'] as const),
] as const;

/** Columns of a statement that is valued in a currency. */
const valueColumns = ['value', 'valueCurrency', 'valueRate', 'valueRateDay'] as const;

/** Texts that callers have chosen, which a spreadsheet might run as a formula. */
const chosen: readonly string[] = ['counterpartyName', 'order', 'line', 'reference', 'state'];
/** An id stays as it is, so that files can be joined by it. A minus alone computes nothing. */
const plainId = /^[A-Za-z0-9._:-]+$/;

/** A statement as CSV (RFC 4180), a row for each balance and each movement. */
export async function* statementCsv(
  rows: AsyncIterable<StatementRow>,
  { isValued = false } = {},
): AsyncGenerator<string, void> {
  const all = isValued ? [...columns, ...valueColumns] : columns;
  yield `${all.join(',')}\n`;
  for await (const row of rows) {
    yield `${all.map((column) => cellOf(safe(column, row[column]))).join(',')}\n`;
  }
}

function safe(column: string, value: string | number | boolean | undefined): string {
  const text = value === undefined ? '' : String(value);
  const isFormula = chosen.includes(column) && /^[=+\-@\t\r]/.test(text) && !plainId.test(text);
  return isFormula ? `'${text}` : text;
}

/** A cell of a CSV file (RFC 4180, or with another separator). */
export function cellOf(text: string, separator = ','): string {
  const isPlain = !/[",;\r\n]/.test(text) && !text.includes(separator);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
