import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets } from './sdks';

type Names =
  | 'signMessage'
  | 'signTypedData'
  | 'signTransaction'
  | 'signDelegateAction'
  | 'upgradeWallet'
  | 'screenAddress';

export function signingMethods({ wallets }: Sdks): Pick<CustodyApi, Names> {
  return {
    signMessage: async (input) =>
      read('signMessage', await wallets.signMessage(input as ToWallets<'signMessage'>)),
    signTypedData: async (input) =>
      read('signTypedData', await wallets.signTypedData(input as ToWallets<'signTypedData'>)),
    signTransaction: async (input) =>
      read('signTransaction', await wallets.signTransaction(input as ToWallets<'signTransaction'>)),
    signDelegateAction: async (input) => {
      const sent = input as ToWallets<'signDelegateAction'>;
      return read('signDelegateAction', await wallets.signDelegateAction(sent));
    },
    screenAddress: () => Promise.reject(new Error('The SDKs screen no address.')),
    upgradeWallet: () => Promise.reject(new Error('The SDKs have no upgrade of a wallet.')),
  };
}
