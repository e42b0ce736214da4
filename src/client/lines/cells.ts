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
