import type { PayoutTerms } from './shardOrder';

/**
 * The reasons why lines of a payout go one by one. A payout that does not ask for batches is not
 * warned where no node of the chain is set.
 */
export function batchWarnings({ order, wallets, batchesFrom = [] }: PayoutTerms): string[] {
  if (order.batch === false) return [];
  const others = wallets.filter(({ accountType }) =>
    batchesFrom.every((batching) => batching !== accountType),
  );
  if (others.length === 0) return [];
  const so = 'so its lines go one by one.';
  if (batchesFrom.length > 0) {
    const names = others.map(({ address }) => address).join(', ');
    return [`batch: this chain has no Multicall3From that works for ${names}, ${so}`];
  }
  if (order.batch === undefined) return [];
  return [
    `batch: CHAIN_RPC_URL is not set on its worker, ${so} ` +
      'Only the chain tells which lines of a batch were paid.',
  ];
}
