import type { PayoutReceipt } from '../../src/orders/payout';
import { bookOf, type LivePayout, partsOf, tallyOfPart, totalsOf, wholeTally } from './book';

/** What a payout leaves behind: what its lines came to. The lines themselves are with its shards. */
export function receiptOf(live: LivePayout): PayoutReceipt {
  const { opened, carried } = live;
  const book = bookOf(live);
  const { amounts: _, ...counts } = wholeTally(book);
  return {
    payoutId: opened.order.payoutId,
    ...counts,
    totals: totalsOf(book),
    parts: partsOf(book).map((part) => ({
      part: part.part,
      shardId: part.shardId,
      ...tallyOfPart(part),
      ordered: part.totals,
    })),
    warnings: book.warnings,
    ...(carried.cancelAsked ? { stopped: 'It was cancelled before all lines were sent.' } : {}),
  };
}

/** Goes on from what an earlier run came to: its parts are sealed, and their shards done. */
export function takeUpReceipt(live: LivePayout, receipt: PayoutReceipt): void {
  const book = bookOf(live);
  for (const { part, shardId, ordered, ...tally } of receipt.parts) {
    const report = { part, stage: 'over' as const, tally, open: 0, unknown: [] };
    const { lines } = tally;
    book.parts[part] = { part, shardId, lines, totals: ordered, report, heardAtMs: Date.now() };
  }
  book.sealed = true;
  book.warnings = receipt.warnings;
}
