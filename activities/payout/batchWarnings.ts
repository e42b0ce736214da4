import type { ResolvedToken } from '../../src/orders/kind';
import { linesPerBatch } from '../../src/orders/payout/linesPerBatch';
import { withoutMemo } from '../../src/orders/payout/notes';
import { keptSender } from './keptSenders';
import type { PayoutTerms } from './shardOrder';

type Warned = {
  terms: PayoutTerms;
  /** The tokens of all lines. */
  tokens: ReadonlySet<ResolvedToken>;
  chainRpcUrl: string | undefined;
};

/**
 * The reasons why lines of a payout go one by one, or without a memo. A payout that does not ask
 * for batches is not warned where no node of the chain is set.
 */
export async function batchWarnings({ terms, tokens, chainRpcUrl }: Warned): Promise<string[]> {
  const { order, wallets, batchesFrom = [] } = terms;
  const isBatched = linesPerBatch(order) !== undefined;
  const [asksBatch, asksMemo] = [isBatched && order.batch !== undefined, order.memo === true];
  if (batchesFrom.length === 0) {
    const why = 'CHAIN_RPC_URL is not set on its worker, so its lines';
    const only = 'Only the chain tells which lines of a batch were paid.';
    return [
      ...(asksBatch ? [`batch: ${why} go one by one. ${only}`] : []),
      ...(asksMemo ? [`memo: ${why} carry no memo.`] : []),
    ];
  }
  const warnings = wallets
    .filter(({ accountType }) => asksMemo && accountType === 'SCA')
    .map(({ address }) => withoutMemo(address));
  for (const token of tokens) {
    const kept = await keptSender(token, { terms, chainRpcUrl });
    const through = (contract: string): string =>
      `through ${contract}, ${token.name} does not see an EOA wallet as the sender here, so its lines`;
    if (kept?.inBatches === false && isBatched) {
      warnings.push(`batch: ${through('Multicall3From')} from EOA wallets go one by one.`);
    }
    if (kept?.withMemo === false && asksMemo) {
      warnings.push(`memo: ${through('Memo')} carry no memo.`);
    }
    const isNative = token.address === '';
    if (isNative && asksMemo) warnings.push(`memo: lines of ${token.name} carry no memo.`);
  }
  return warnings;
}
