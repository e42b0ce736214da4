import type { OrderKind, ReadOrder } from '../../src/orders/kinds';
import { linesPerBatch } from '../../src/orders/payout/linesPerBatch';

/** Accounts that can pay many lines with one transaction. */
export type BatchingAccount = 'EOA' | 'SCA';

/**
 * The accounts that may pay the lines of a payout in batches. None without a node of the chain,
 * since only the chain tells which lines of a batch were paid. Undefined for an order that makes no
 * batches. A line with a memo is a batch too. What a token allows is asked part by part.
 */
export function batchesFrom(
  order: ReadOrder<OrderKind>,
  { chainRpcUrl }: { chainRpcUrl: string | undefined },
): BatchingAccount[] | undefined {
  if (!('payoutId' in order)) return undefined;
  if (linesPerBatch(order) === undefined && order.memo !== true) return undefined;
  return chainRpcUrl === undefined ? [] : ['EOA', 'SCA'];
}
