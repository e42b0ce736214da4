import type { CustodyApi } from '../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets } from './sdks';

type WalletNames = 'createWallets' | 'getWallet' | 'listWallets' | 'updateWallet';
type HoldingNames = 'listBalances' | 'getToken' | 'requestDrip';

export function walletMethods({ wallets }: Sdks): Pick<CustodyApi, WalletNames | HoldingNames> {
  return {
    createWallets: async (input) =>
      read('createWallets', await wallets.createWallets(input as ToWallets<'createWallets'>)),
    getWallet: async (input) => read('getWallet', await wallets.getWallet(input)),
    listWallets: async (input) =>
      read('listWallets', await wallets.listWallets(input as ToWallets<'listWallets'>)),
    updateWallet: async (input) =>
      read('updateWallet', await wallets.updateWallet(input as ToWallets<'updateWallet'>)),
    listBalances: async ({ tokenAddress, ...rest }) => {
      const filter = tokenAddress === undefined ? {} : { tokenAddresses: [tokenAddress] };
      const input = { ...rest, ...filter } as ToWallets<'getWalletTokenBalance'>;
      return read('listBalances', await wallets.getWalletTokenBalance(input));
    },
    getToken: async (input) => read('getToken', await wallets.getToken(input)),
    requestDrip: async (input) => {
      await wallets.requestTestnetTokens(input as ToWallets<'requestTestnetTokens'>);
      return {};
    },
  };
}
