import { found } from '../../errors/errors';
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

    getToken: async ({ id }) => ({
      token: toToken(found(service.tokens.byId(id), 'noToken'), service.shown.blockchain),
    }),
  } satisfies Partial<SandboxApi>;
}
