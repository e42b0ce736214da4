import { type Address, getAddress, isAddress } from 'viem';
import { blockchains } from '../custody/blockchain';
import type { Token } from '../custody/token';
import type { Chain } from './chain/chain';
import { readTokenFacts, type TokenStandard } from './chain/token';
import { derivedId } from './store/derivedId';
import type { Store } from './store/store';

/** A token that wallets can hold; the native coin has no address. */
export type KnownToken = {
  id: string;
  address: Address | undefined;
  /** None where it is counted in whole items. */
  decimals: number;
  symbol: string;
  name?: string;
  /** ERC20 where it does not say. */
  standard?: TokenStandard;
};

export type Tokens = {
  byId(id: string): KnownToken | undefined;
  /** The token at an address (empty: native), read from the chain when it is new; if it is one. */
  byAddress(address: string): Promise<KnownToken | undefined>;
  /** The token at an address, if it is known already. */
  known(address: Address): KnownToken | undefined;
  /** The native coin, USDC and EURC, which any wallet may have. */
  builtIn: readonly KnownToken[];
  native: KnownToken;
};

/** The tokens of the sandbox's chain, each with the service's id where that is published. */
export function createTokens(parts: { chain: Chain; store: Store; blockchain: string }): Tokens {
  const { chain, store, blockchain } = parts;
  const tokens = new Map<string, KnownToken>();
  const byAddress = new Map<Address | undefined, KnownToken>();
  const add = (token: KnownToken): KnownToken => {
    tokens.set(token.id, token);
    byAddress.set(token.address, token);
    return token;
  };
  const builtIn = (blockchains[blockchain]?.tokens ?? []).map((known) => {
    const address = known.address === '' ? undefined : getAddress(known.address);
    return add({
      id: known.id ?? tokenId(blockchain, known.address),
      address,
      decimals: known.decimals,
      symbol: address === undefined ? 'USDC' : known.symbol,
    });
  });
  for (const kept of store.tokens.list()) add(kept);

  const native = byAddress.get(undefined);
  if (native === undefined) throw new Error(`The native coin of ${blockchain} is not known.`);
  return {
    native,
    byId: (id) => tokens.get(id),
    known: (address) => byAddress.get(address),
    builtIn,
    byAddress: async (text) => {
      const address = text === '' ? undefined : checked(text);
      if (text !== '' && address === undefined) return undefined;
      const known = byAddress.get(address);
      if (known !== undefined || address === undefined) return known;
      const read = await readTokenFacts(chain.client, address);
      // Another call may have asked meanwhile.
      const learnt = byAddress.get(address);
      if (learnt !== undefined || read === undefined) return learnt;
      const token = { id: tokenId(blockchain, address), address, ...read };
      store.tokens.insert(token);
      return add(token);
    },
  };
}

/** A token's record on the wire. */
export function toToken(token: KnownToken, blockchain: string): Token {
  // The record of a token does not change; its dates are those of the chain's first day.
  const date = '2025-10-27T00:00:00Z';
  return {
    id: token.id,
    blockchain,
    isNative: token.address === undefined,
    name: token.name ?? token.symbol,
    symbol: token.symbol,
    ...(isItem(token) ? {} : { decimals: token.decimals }),
    ...(token.address === undefined
      ? {}
      : { standard: standardOf(token), tokenAddress: token.address.toLowerCase() }),
    createDate: date,
    updateDate: date,
  };
}

/** True of the tokens that have ids, and are listed apart from those that are only counted. */
export function isItem(token: KnownToken): boolean {
  return standardOf(token) !== 'ERC20';
}

export function standardOf({ standard = 'ERC20' }: KnownToken): TokenStandard {
  return standard;
}

function checked(text: string): Address | undefined {
  return isAddress(text, { strict: false }) ? getAddress(text) : undefined;
}

/** The same id for the same token at each start. */
function tokenId(blockchain: string, address: string): string {
  return derivedId(`${blockchain} ${address.toLowerCase()}`);
}
