import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets } from './sdks';

type SetNames =
  | 'ping'
  | 'getPublicKey'
  | 'getEntityConfig'
  | 'registerEntitySecret'
  | 'createWalletSet'
  | 'updateWalletSet'
  | 'getWalletSet'
  | 'listWalletSets';

export function setMethods({ wallets }: Sdks): Pick<CustodyApi, SetNames> {
  return {
    ping: () => Promise.reject(new Error('The SDKs have no ping.')),
    getEntityConfig: () => Promise.reject(new Error('The SDKs do not ask for the entity.')),
    registerEntitySecret: () =>
      Promise.reject(new Error('The SDK registers a secret without a client.')),
    getPublicKey: async () => read('getPublicKey', await wallets.getPublicKey()),
    createWalletSet: async (input) =>
      read('createWalletSet', await wallets.createWalletSet(input as ToWallets<'createWalletSet'>)),
    updateWalletSet: async (input) =>
      read('updateWalletSet', await wallets.updateWalletSet(input as ToWallets<'updateWalletSet'>)),
    getWalletSet: async (input) => read('getWalletSet', await wallets.getWalletSet(input)),
    listWalletSets: async (input) =>
      read('listWalletSets', await wallets.listWalletSets(input as ToWallets<'listWalletSets'>)),
  };
}
