import type { BroadcastRow } from '../engine/broadcastRow';
import type { Hex } from './records';
import type { Statements } from './statements';

/** What waits for a block, asked for in the ways that the engine needs. */
export type BroadcastQueries = {
  /** What is signed for a transaction. */
  of(transactionId: string): BroadcastRow | undefined;
  /** What a sender has signed that has no outcome yet. */
  inFlight(sender: Hex): BroadcastRow[];
  /** What the next block can take, in the order of signing; none whose sender has an earlier one
   * that no block takes. */
  includable(limit: number): BroadcastRow[];
  /** Those of a status that were signed by this time. */
  sentBy(status: BroadcastRow['status'], atMs: number): BroadcastRow[];
  /** When the first of a status was signed. */
  firstSentAt(status: BroadcastRow['status']): number | undefined;
};

const includableSql = `
  SELECT doc FROM broadcasts AS one WHERE status = 'pending' AND NOT EXISTS (
    SELECT 1 FROM broadcasts AS other INDEXED BY broadcastsBySenderAndStatusAndNonce
    WHERE other.sender = one.sender AND other.status IN ('underpriced', 'stuck', 'replacing')
      AND other.nonce < one.nonce)
  ORDER BY seq LIMIT ?`;

export function broadcastQueries(run: Statements): BroadcastQueries {
  return {
    of: (transactionId) =>
      run.docs<BroadcastRow>(
        'SELECT doc FROM broadcasts WHERE transactionId = ?',
        transactionId,
      )[0],
    inFlight: (sender) =>
      run.docs(
        `SELECT doc FROM broadcasts INDEXED BY broadcastsBySenderAndStatusAndNonce WHERE sender = ?
         AND status IN ('pending', 'underpriced', 'stuck', 'replacing', 'bundled', 'assigned')
         ORDER BY nonce`,
        sender,
      ),
    includable: (limit) => run.docs(includableSql, limit),
    sentBy: (status, atMs) =>
      run.docs(
        'SELECT doc FROM broadcasts WHERE status = ? AND sentAtMs <= ? ORDER BY seq',
        status,
        atMs,
      ),
    firstSentAt: (status) =>
      run.number('SELECT MIN(sentAtMs) AS number FROM broadcasts WHERE status = ?', status),
  };
}
