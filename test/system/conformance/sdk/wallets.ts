import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets } from './sdks';

type WalletNames =
  | 'createWallets'
  | 'getWallet'
  | 'listWallets'
  | 'updateWallet'
  | 'deriveWallet'
  | 'deriveWalletByAddress';

export function walletMethods({ wallets }: Sdks): Pick<CustodyApi, WalletNames> {
  return {
    createWallets: async (input) =>
      read('createWallets', await wallets.createWallets(input as ToWallets<'createWallets'>)),
    getWallet: async (input) => read('getWallet', await wallets.getWallet(input)),
    listWallets: async (input) =>
      read('listWallets', await wallets.listWallets(input as ToWallets<'listWallets'>)),
    updateWallet: async (input) =>
      read('updateWallet', await wallets.updateWallet(input as ToWallets<'updateWallet'>)),
    deriveWallet: async (input) =>
      read('deriveWallet', await wallets.deriveWallet(input as ToWallets<'deriveWallet'>)),
    deriveWalletByAddress: async (input) => {
      const sent = input as ToWallets<'deriveWalletByAddress'>;
      return read('deriveWalletByAddress', await wallets.deriveWalletByAddress(sent));
    },
  };
}
