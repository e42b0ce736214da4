import type { OrderKind, ReadOrder } from '../../src/orders/kinds';
import { linesPerBatch } from '../../src/orders/payout/linesPerBatch';
import { canBatch } from '../chain/batching';
import { readChain } from '../chain/readChain';

/** Accounts that can pay many lines with one transaction. */
export type BatchingAccount = 'EOA' | 'SCA';

/**
 * The accounts that can pay the lines of a payout in batches. None without a node of the chain,
 * since only the chain tells which lines of a batch were paid. Undefined for an order without
 * batches.
 */
export async function batchesFrom(
  order: ReadOrder<OrderKind>,
  { chainRpcUrl, token }: { chainRpcUrl: string | undefined; token: string | undefined },
): Promise<BatchingAccount[] | undefined> {
  if (!('payoutId' in order) || linesPerBatch(order) === undefined) return undefined;
  if (chainRpcUrl === undefined) return [];
  const isThere =
    token !== undefined && (await readChain(chainRpcUrl, (chain) => canBatch(chain, token)));
  return isThere ? ['EOA', 'SCA'] : ['SCA'];
}
