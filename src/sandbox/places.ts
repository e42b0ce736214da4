import type { Store } from './store';

/** Hands out each place in the key tree once, also to requests that arrive together. */
export type Places = {
  nextSet(): number;
  /** The first of `count` places in a set. */
  nextWallets(walletSetId: string, count: number): number;
};

export function createPlaces(store: Pick<Store, 'walletSets' | 'wallets'>): Places {
  let nextSet = (store.walletSets.list({ limit: 1 })[0]?.index ?? -1) + 1;
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
