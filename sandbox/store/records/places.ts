import type { Store } from '../store';
import type { WalletRow } from './records';

type Wallets = { walletSetId: string; blockchains: readonly string[]; count: number };

export type Places = ReturnType<typeof createPlaces>;

/** Hands out each place in the key tree once, also to requests that arrive together. */
export function createPlaces(store: Pick<Store, 'walletSets' | 'wallets'>) {
  // The newest set need not have the highest index: two that arrive together may be stored in turn.
  let nextSet = store.walletSets.list().reduce((next, { index }) => Math.max(next, index + 1), 0);
  const nextWallet = new Map<string, number>();
  const keyOf = (walletSetId: string, blockchain: string) => `${walletSetId} ${blockchain}`;
  const nextOn = (walletSetId: string, blockchain: string): number => {
    const known = nextWallet.get(keyOf(walletSetId, blockchain));
    if (known !== undefined) return known;
    const kept = store.wallets.list({ filters: { walletSetId, blockchain } });
    return kept.reduce((next, { index }) => Math.max(next, index + 1), 0);
  };
  return {
    nextSet: (): number => nextSet++,
    /**
     * The first of `count` places in a set that are new on each of these chains. They follow the
     * last place that any of the chains has, so a place has the same address on all.
     */
    nextWallets: ({ walletSetId, blockchains, count }: Wallets): number => {
      const first = Math.max(...blockchains.map((one) => nextOn(walletSetId, one)));
      for (const one of blockchains) nextWallet.set(keyOf(walletSetId, one), first + count);
      return first;
    },
    /** A wallet has been made at a place that another chain had already. */
    took: ({
      walletSetId,
      blockchain,
      index,
    }: Pick<WalletRow, 'walletSetId' | 'blockchain' | 'index'>): void => {
      const next = Math.max(nextOn(walletSetId, blockchain), index + 1);
      nextWallet.set(keyOf(walletSetId, blockchain), next);
    },
  };
}
