import type { PayoutReceipt } from '../../src/orders/payout';
import { bookOf, countsOf, type LivePayout, partsOf, tallyOfPart } from './book';

/** The receipt of a payout counts its lines by outcome. Its shards keep the lines themselves. */
export function receiptOf(live: LivePayout): PayoutReceipt {
  const counts = countsOf(live);
  const { lines, paid, failed, unknown, skipped, skippedAlone = 0 } = counts;
  const ended = paid + failed + unknown + skipped;
  // Stops this run and shows why. A payout that lacks lines must not look done.
  if (ended !== lines) throw new Error(`${ended} of ${lines} lines have ended.`);
  return {
    payoutId: live.opened.order.payoutId,
    ...counts,
    parts: partsOf(live).map((part) => ({
      part: part.part,
      shardId: part.shardId,
      ...tallyOfPart(part),
      ordered: part.totals,
      hash: part.hash,
      runId: part.result?.runId ?? '',
      digest: part.result?.digest ?? '',
    })),
    warnings: bookOf(live).warnings,
    ...(bookOf(live).checks === undefined ? {} : { checks: bookOf(live).checks }),
    // A cancellation that has left no line out has stopped nothing. It may be of an earlier run.
    ...(skipped > skippedAlone ? { stopped: 'It was cancelled before all lines were sent.' } : {}),
  };
}

/** Goes on from the receipt of an earlier run: its parts are sealed, and their shards done. */
export function takeUpReceipt(live: LivePayout, { parts, warnings, checks }: PayoutReceipt): void {
  const book = bookOf(live);
  for (const { part, shardId, ordered, hash, runId, digest, ...tally } of parts) {
    const result = { runId, digest, tally };
    book.parts[part] = { part, shardId, lines: tally.lines, totals: ordered, hash, result };
  }
  Object.assign(book, { sealed: true, warnings, checks });
}
