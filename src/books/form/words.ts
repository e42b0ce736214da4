import type { StatementRow } from '../statement';

/** A movement in words: what went, and whether its transaction failed. */
export function movedInWords({ row, failed }: StatementRow): string {
  const what = row === 'in' ? 'received' : row === 'out' ? 'sent' : 'gas';
  return `${what}${failed === true ? ' of a transaction that failed' : ''}`;
}

/** The order of a movement, and its line. Undefined where nobody knows an order. */
export function orderInWords({ order, line }: StatementRow): string | undefined {
  return order === undefined ? undefined : [order, line].filter(Boolean).join(' ');
}

/** The place of a movement on the chain. */
export function placeInWords({ txHash, logIndex }: StatementRow): string {
  return `transaction ${txHash}${logIndex === undefined ? '' : ` log ${logIndex}`}`;
}
