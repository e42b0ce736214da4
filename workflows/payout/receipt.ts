import type { PayoutReceipt } from '../../src/orders/payout';
import { bookOf, type LivePayout, partsOf, tallyOfPart, totalsOf, wholeTally } from './book';

/** What a payout leaves behind: what its lines came to. The lines themselves are with its shards. */
export function receiptOf(live: LivePayout): PayoutReceipt {
  const { opened, carried } = live;
  const book = bookOf(live);
  const { amounts: _, ...counts } = wholeTally(book);
  const { lines, paid, failed, unknown, skipped } = counts;
  const ended = paid + failed + unknown + skipped;
  // Stops this run and shows why. A payout that lacks lines must not look done.
  if (ended !== lines) throw new Error(`${ended} of ${lines} lines have ended.`);
  return {
    payoutId: opened.order.payoutId,
    ...counts,
    totals: totalsOf(book),
    parts: partsOf(book).map((part) => ({
      part: part.part,
      shardId: part.shardId,
      ...tallyOfPart(part),
      ordered: part.totals,
      runId: part.result?.runId ?? '',
      digest: part.result?.digest ?? '',
    })),
    warnings: book.warnings,
    ...(carried.cancelAsked ? { stopped: 'It was cancelled before all lines were sent.' } : {}),
  };
}

/** Goes on from what an earlier run came to: its parts are sealed, and their shards done. */
export function takeUpReceipt(live: LivePayout, receipt: PayoutReceipt): void {
  const book = bookOf(live);
  for (const { part, shardId, ordered, runId, digest, ...tally } of receipt.parts) {
    const { lines } = tally;
    const result = { runId, digest, tally };
    book.parts[part] = { part, shardId, lines, totals: ordered, result };
  }
  book.sealed = true;
  book.warnings = receipt.warnings;
}
