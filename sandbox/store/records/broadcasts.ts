import type { StoredOperation } from '../../chain/account/operation';
import type { Statements } from '../statements';
import type { Hex } from './records';

/**
 * A holder of a sender's nonce: a signed transaction, or a smart account's signed operation that
 * waits for a bundle. It is stored before it is sent. A replacement of the same nonce takes its
 * place.
 */
export type BroadcastRow = {
  id: string;
  /** The record that it is to carry out or to cancel. The faucet's and the bundler's have none. */
  transactionId?: string | undefined;
  purpose: 'carryOut' | 'cancel';
  sender: Hex;
  nonce: number;
  /** Signed, unless it is an operation. */
  raw?: Hex;
  operation?: StoredOperation;
  userOpHash?: Hex;
  /** The transaction that brings it into a block: its own, or its bundle's once it has one. */
  txHash?: Hex | undefined;
  /** Set once its bundle was undone: it gets one of its own, and can undo no other. */
  alone?: boolean;
  /** Gas limit. */
  gas: string;
  /**
   * A broadcast is pending until a block includes it, then assigned, and done once its outcome is
   * read. An operation is pending until a bundle includes it, and then bundled. No block includes
   * it while it is underpriced, stuck, or replacing. Stuck means noticed or forced. It is
   * replacing while its replacement is signed.
   */
  status: 'pending' | 'underpriced' | 'stuck' | 'replacing' | 'bundled' | 'assigned' | 'done';
  /** The purpose of what is to take its place. */
  wanted?: BroadcastRow['purpose'] | undefined;
  /** True if it is done and was left out of its block, or has reverted there. */
  failed?: boolean;
  /** True if it was left out, and its record was signed again with another nonce. */
  withdrawn?: boolean;
  /** The most it can cost its sender in native base units. */
  costMax: string;
  sentAtMs: number;
};

const includableSql = `
  SELECT doc FROM broadcasts AS one WHERE status = 'pending' AND NOT EXISTS (
    SELECT 1 FROM broadcasts AS other INDEXED BY broadcastsBySenderAndStatusAndNonce
    WHERE other.sender = one.sender AND other.status IN ('underpriced', 'stuck', 'replacing')
      AND other.nonce < one.nonce)
  ORDER BY seq LIMIT ?`;

/** The queries for broadcasts that the engine needs. */
export function broadcastQueries(run: Statements) {
  return {
    /** The broadcast of a transaction. */
    of: (transactionId: string) =>
      run.docs<BroadcastRow>(
        'SELECT doc FROM broadcasts WHERE transactionId = ?',
        transactionId,
      )[0],
    /** The broadcasts of a sender that have no outcome yet. */
    inFlight: (sender: Hex) =>
      run.docs<BroadcastRow>(
        `SELECT doc FROM broadcasts INDEXED BY broadcastsBySenderAndStatusAndNonce WHERE sender = ?
         AND status IN ('pending', 'underpriced', 'stuck', 'replacing', 'bundled', 'assigned')
         ORDER BY nonce`,
        sender,
      ),
    /**
     * The broadcasts that the next block can include, in the order of signing. Leaves out one that
     * waits behind an earlier one of its sender.
     */
    includable: (limit: number) => run.docs<BroadcastRow>(includableSql, limit),
    /** The broadcasts of a status that were signed by this time. */
    sentBy: (status: BroadcastRow['status'], atMs: number) =>
      run.docs<BroadcastRow>(
        'SELECT doc FROM broadcasts WHERE status = ? AND sentAtMs <= ? ORDER BY seq',
        status,
        atMs,
      ),
    /** The broadcasts of a status that were signed after this time. */
    sentAfter: (status: BroadcastRow['status'], atMs: number) =>
      run.docs<BroadcastRow>(
        'SELECT doc FROM broadcasts WHERE status = ? AND sentAtMs > ?',
        status,
        atMs,
      ),
    /** When the first of a status was signed. */
    firstSentAt: (status: BroadcastRow['status']) =>
      run.number('SELECT MIN(sentAtMs) AS number FROM broadcasts WHERE status = ?', status),
  };
}
