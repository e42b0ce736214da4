/** Columns with texts of the service, and the ones that a payer fills from elsewhere. */
const theirs = ['reason', 'reference', 'name', 'txHash', 'transactionId'];

/**
 * Quotes a text of the service that a spreadsheet would run as a formula. Our own ids, addresses
 * and amounts stay as they are.
 */
export function harmless(column: string, value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  return theirs.includes(column) && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

/** A cell of a CSV file (RFC 4180, or with another separator). */
export function cellOf(text: string, separator = ','): string {
  const isPlain = !/[",;\r\n]/.test(text) && !text.includes(separator);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
