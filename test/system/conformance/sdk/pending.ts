import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets } from './sdks';

type PendingNames = 'getFeeParameters' | 'getLowestNonceTransaction';

export function pendingMethods({ wallets }: Sdks): Pick<CustodyApi, PendingNames> {
  return {
    getFeeParameters: async (input) => {
      const answer = await wallets.getFeeParameters(input as ToWallets<'getFeeParameters'>);
      return read('getFeeParameters', answer);
    },
    getLowestNonceTransaction: async (input) => {
      const sent = input as ToWallets<'getLowestNonceTransaction'>;
      return read('getLowestNonceTransaction', await wallets.getLowestNonceTransaction(sent));
    },
  };
}
