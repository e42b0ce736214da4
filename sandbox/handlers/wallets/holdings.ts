import { fault } from '../../errors/errors';
import { toToken } from '../../store/records/tokenRecord';
import type { SandboxApi, Service } from '../service';
import { listBalances } from './balances';
import { listNfts } from './nfts';
import { listWalletsWithBalances } from './walletsWithBalances';

/** The holdings of wallets, as the chain has them now. */
export function holdingHandlers(service: Service) {
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
  } satisfies Partial<SandboxApi>;
}
