import { fault } from '../errors';
import type { Handlers, Service } from '../service';
import { toToken } from '../tokens';
import { listBalances } from './balances';
import { listNfts } from './nfts';
import { listWalletsWithBalances } from './walletsWithBalances';

type Names = 'listBalances' | 'listNfts' | 'listWalletsWithBalances' | 'getToken';

/** What wallets hold, as the chain has it now. */
export function holdingHandlers(service: Service): Handlers<Names> {
  return {
    listBalances: (input, options) => listBalances(service, input, options?.paged),

    listNfts: (input, options) => listNfts(service, input, options?.paged),

    listWalletsWithBalances: (input, options) =>
      listWalletsWithBalances(service, input, options?.paged),

    getToken: async ({ id }) => {
      const token = service.tokens.byId(id);
      if (token === undefined) throw fault('noToken');
      return { token: toToken(token, service.shown.blockchain) };
    },
  };
}
