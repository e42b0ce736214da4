import type { CustodyApi } from '../custody/endpoints';
import type { Wallet } from '../custody/objects/wallet';
import { NotUnderstood, type PayingWallet } from './call/effects';

/** The wallets of the account by both names, as the service tells them. No fact of one changes. */
export type WalletBook = {
  byId(id: string): Promise<PayingWallet>;
  byAddress(address: string): Promise<PayingWallet>;
};

/** Remembers each wallet once it was read. Only the writer's own reads count. */
export function walletBook(custody: CustodyApi, blockchain: string): WalletBook {
  const known = new Map<string, PayingWallet>();
  const keep = ({ accountType, ...wallet }: Wallet): PayingWallet => {
    const names = { id: wallet.id.toLowerCase(), address: wallet.address.toLowerCase() };
    const kept = { ...names, accountType };
    if (wallet.blockchain !== blockchain) {
      throw new NotUnderstood(
        `The wallet ${kept.id} is on ${wallet.blockchain}, not ${blockchain}.`,
      );
    }
    known.set(kept.id, kept);
    known.set(kept.address, kept);
    return kept;
  };
  return {
    byId: async (id) => {
      const found = known.get(id.toLowerCase());
      if (found !== undefined) return found;
      const { wallet } = await custody.getWallet({ id });
      return keep(wallet);
    },
    byAddress: async (address) => {
      const wanted = address.toLowerCase();
      const found = known.get(wanted);
      if (found !== undefined) return found;
      const { wallets } = await custody.listWallets({ address, blockchain });
      const wallet = wallets.find((one) => one.address.toLowerCase() === wanted);
      if (wallet === undefined) throw new NotUnderstood(`The account has no wallet ${address}.`);
      return keep(wallet);
    },
  };
}
