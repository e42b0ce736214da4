import type { Address } from 'viem';
import { fromBaseUnits } from '../../../src/custody/objects/amount';
import type { Balance } from '../../../src/custody/objects/token';
import { readBalance } from '../../chain/token';
import { found } from '../../errors/errors';
import { listed, readPage } from '../../store/page';
import { isoSeconds } from '../../store/records/records';
import { isItem, type SandboxToken, toToken } from '../../store/records/tokenRecord';
import { requireChain } from '../../store/records/walletBlockchain';
import type { SandboxApi, Service } from '../service';
import { tokensAsked } from './tokensAsked';
import { requireWallet } from './wallets';

/** Tokens, and the balances of wallets as the chain has them now. */
export function balanceHandlers(service: Service) {
  return {
    /** Page by page of the tokens. Tokens without a balance are left out. */
    listBalances: async (input, options) => {
      const wallet = requireWallet(service, input.id);
      requireChain(wallet);
      const tokens = (await tokensAsked(service, input)).filter((token) => !isItem(token));
      const balances = tokens.map(async (token) => {
        const held = await readHeld(service, token, wallet.address);
        return { id: token.id, hidden: held === 0n, balance: toBalance(service, token, held) };
      });
      const paging = { input, paged: options?.paged };
      const page = readPage(listed(await Promise.all(balances)), paging);
      return { tokenBalances: page.map(({ balance }) => balance) };
    },

    getToken: async ({ id }) => ({
      token: toToken(found(service.tokens.byId(id), 'noToken'), service.shown.blockchain),
    }),
  } satisfies Partial<SandboxApi>;
}

/** The base units of a token that an account has. */
export function readHeld(
  { chain }: Service,
  { address: token }: SandboxToken,
  address: Address,
): Promise<bigint> {
  return token === undefined
    ? chain.client.getBalance({ address })
    : readBalance(chain.client, { token, owner: address });
}

export function toBalance({ shown }: Service, token: SandboxToken, held: bigint): Balance {
  return {
    amount: fromBaseUnits(held, token.decimals),
    token: toToken(token, shown.blockchain),
    updateDate: isoSeconds(Date.now()),
  };
}
