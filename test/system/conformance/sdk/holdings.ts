import type { CustodyApi } from '../../../../src/custody/endpoints';
import { read, type Sdks, type ToWallets } from './sdks';

type HoldingNames =
  | 'listBalances'
  | 'listNfts'
  | 'listWalletsWithBalances'
  | 'getToken'
  | 'requestDrip';

export function holdingMethods({ wallets }: Sdks): Pick<CustodyApi, HoldingNames> {
  return {
    listBalances: async (input) => {
      const sent = withAddresses(input) as ToWallets<'getWalletTokenBalance'>;
      return read('listBalances', await wallets.getWalletTokenBalance(sent));
    },
    listNfts: async (input) => {
      const sent = withAddresses(input) as ToWallets<'getWalletNFTBalance'>;
      return read('listNfts', await wallets.getWalletNFTBalance(sent));
    },
    listWalletsWithBalances: async ({ amount__gte: amountGte, ...rest }) => {
      const sent = { ...rest, amountGte } as ToWallets<'getWalletsWithBalances'>;
      return read('listWalletsWithBalances', await wallets.getWalletsWithBalances(sent));
    },
    getToken: async (input) => read('getToken', await wallets.getToken(input)),
    requestDrip: async (input) => {
      await wallets.requestTestnetTokens(input as ToWallets<'requestTestnetTokens'>);
      return {};
    },
  };
}

/** In the library's form a token's address is in a list. */
function withAddresses<Given extends { tokenAddress?: string | undefined }>(input: Given) {
  const { tokenAddress, ...rest } = input;
  return tokenAddress === undefined ? rest : { ...rest, tokenAddresses: [tokenAddress] };
}
