import { cellOf } from '../../books/form/csv';
import type { LineResult } from '../../orders/payout';
import { harmless } from './cells';

const columns = [
  ...(['lineId', 'to', 'amount', 'token', 'outcome', 'walletAddress', 'txHash'] as const),
  ...(['transactionId', 'reason', 'generation', 'reference', 'name'] as const),
  ...(['currencyAmount', 'currency', 'rate', 'rateDay'] as const),
] as const;

/** The exchange of a line, in columns of its own. */
function exchangeCells({ exchange }: LineResult) {
  const { amount: currencyAmount, currency, rate, day: rateDay } = exchange ?? {};
  return { currencyAmount, currency, rate, rateDay };
}

/** Results as CSV (RFC 4180), each line ended as on this machine's command lines. */
export async function* inCsv(lines: AsyncIterable<LineResult>): AsyncGenerator<string, void> {
  // An id that nobody knows prints no header.
  let lead = `${columns.join(',')}\n`;
  for await (const line of lines) {
    const own = { ...line, ...exchangeCells(line) };
    const cells = columns.map((column) => cellOf(harmless(column, own[column])));
    yield `${lead}${cells.join(',')}\n`;
    lead = '';
  }
  if (lead !== '') yield lead;
}
