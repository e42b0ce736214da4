import { type SenderKept, senderKept } from '../../src/chain/batching';
import { readChain } from '../../src/chain/readChain';
import type { ResolvedToken } from '../../src/orders/kind';
import { linesPerBatch } from '../../src/orders/payout/linesPerBatch';
import type { PayoutTerms } from './shardOrder';

/**
 * Asks the chain how accounts with a key can pay a token. Undefined where a payout has no use for
 * the answer. A node that does not answer is an error.
 */
export async function keptSender(
  { address }: Pick<ResolvedToken, 'address'>,
  { terms, chainRpcUrl }: { terms: PayoutTerms; chainRpcUrl: string | undefined },
): Promise<SenderKept | undefined> {
  const { order, wallets, batchesFrom = [] } = terms;
  const isUsed = linesPerBatch(order) !== undefined || order.memo === true;
  const isKey = wallets.some(({ accountType }) => accountType !== 'SCA');
  if (!isUsed || !isKey || batchesFrom.length === 0) return undefined;
  if (address === '' || chainRpcUrl === undefined) return undefined;
  return readChain(chainRpcUrl, (chain) => senderKept(chain, address));
}
