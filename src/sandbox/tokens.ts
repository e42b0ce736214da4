import { createHash } from 'node:crypto';
import { type Address, getAddress, isAddress } from 'viem';
import { blockchains } from '../custody/blockchain';
import type { Token } from '../custody/token';
import type { Chain } from './chain/chain';
import { isReadFault } from './chain/nodeFault';
import { readDecimals, readSymbol } from './chain/token';
import type { Store } from './store';

/** A token that wallets can hold; the native coin has no address. */
export type KnownToken = {
  id: string;
  address: Address | undefined;
  decimals: number;
  symbol: string;
};

export type Tokens = {
  byId(id: string): KnownToken | undefined;
  /** The token at an address (empty: native), read from the chain when it is new; if it is one. */
  byAddress(address: string): Promise<KnownToken | undefined>;
  all(): KnownToken[];
};

const nativeDecimals = 18;

/** The tokens of the sandbox's chain, each with the service's id where that is published. */
export function createTokens(parts: { chain: Chain; store: Store; blockchain: string }): Tokens {
  const { chain, store, blockchain } = parts;
  const tokens = new Map<string, KnownToken>();
  const add = (token: KnownToken): KnownToken => {
    tokens.set(token.id, token);
    return token;
  };
  for (const known of blockchains[blockchain]?.tokens ?? []) {
    const address = known.address === '' ? undefined : getAddress(known.address);
    add({
      id: known.id ?? tokenId(blockchain, known.address),
      address,
      decimals: known.decimals,
      symbol: address === undefined ? 'USDC' : known.symbol,
    });
  }
  for (const kept of JSON.parse(store.setting('tokens') ?? '[]')) add(kept);

  return {
    byId: (id) => tokens.get(id),
    all: () => [...tokens.values()],
    byAddress: async (text) => {
      const address = text === '' ? undefined : checked(text);
      if (text !== '' && address === undefined) return undefined;
      const known = [...tokens.values()].find((token) => token.address === address);
      if (known !== undefined || address === undefined) return known;
      const read = await readToken(chain, address);
      if (read === undefined) return undefined;
      const token = add({ id: tokenId(blockchain, address), address, ...read });
      store.setSetting('tokens', JSON.stringify([...tokens.values()]));
      return token;
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
    name: token.symbol,
    symbol: token.symbol,
    decimals: token.address === undefined ? nativeDecimals : token.decimals,
    ...(token.address === undefined
      ? {}
      : { standard: 'ERC20', tokenAddress: token.address.toLowerCase() }),
    createDate: date,
    updateDate: date,
  };
}

async function readToken(
  chain: Chain,
  address: Address,
): Promise<{ decimals: number; symbol: string } | undefined> {
  try {
    const [decimals, symbol] = await Promise.all([
      readDecimals(chain.client, address),
      readSymbol(chain.client, address),
    ]);
    return { decimals, symbol };
  } catch (error) {
    if (isReadFault(error)) throw error;
    return undefined;
  }
}

function checked(text: string): Address | undefined {
  return isAddress(text, { strict: false }) ? getAddress(text) : undefined;
}

/** The same id for the same token at each start, in the shape of a UUID v5. */
function tokenId(blockchain: string, address: string): string {
  const hash = createHash('sha256').update(`${blockchain} ${address.toLowerCase()}`).digest('hex');
  const parts = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ] as const;
  const [one, two, three, four, five] = parts.map(([from, to]) => hash.slice(from, to));
  return `${one}-${two}-5${three}-a${four}-${five}`;
}
