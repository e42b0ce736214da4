import type { Store } from './store';

/** Hands out each place in the key tree once, also to requests that arrive together. */
export type Places = {
  nextSet(): number;
  /** The first of `count` places in a set. */
  nextWallets(walletSetId: string, count: number): number;
};

export function createPlaces(store: Pick<Store, 'walletSets' | 'wallets'>): Places {
  // The newest set need not have the highest index: two that arrive together may be stored in turn.
  let nextSet = store.walletSets.list().reduce((next, { index }) => Math.max(next, index + 1), 0);
  const nextWallet = new Map<string, number>();
  return {
    nextSet: () => nextSet++,
    nextWallets: (walletSetId, count) => {
      const kept = () => store.wallets.where('walletSetId', walletSetId);
      const first =
        nextWallet.get(walletSetId) ?? Math.max(-1, ...kept().map(({ index }) => index)) + 1;
      nextWallet.set(walletSetId, first + count);
      return first;
    },
  };
}
