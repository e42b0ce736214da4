import { type Address, getAddress, isAddress } from 'viem';
import { networks } from '../../../src/custody/networks/networks';
import type { Chain } from '../../chain/chain';
import { readTokenFacts } from '../../chain/token';
import type { Store } from '../store';
import { derivedId } from './derivedId';
import type { SandboxToken } from './tokenRecord';

export type Tokens = ReturnType<typeof createTokens>;

/** The tokens of the sandbox's chain, each with the service's id where that is published. */
export function createTokens(parts: {
  chain: Pick<Chain, 'client'>;
  store: Pick<Store, 'tokens'>;
  blockchain: string;
}) {
  const { chain, store, blockchain } = parts;
  const tokens = new Map<string, SandboxToken>();
  const byAddress = new Map<Address | undefined, SandboxToken>();
  const add = (token: SandboxToken): SandboxToken => {
    tokens.set(token.id, token);
    byAddress.set(token.address, token);
    return token;
  };
  const builtIn = (networks[blockchain]?.tokens ?? []).map((known) => {
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
    byId: (id: string) => tokens.get(id),
    /** The token at an address, if it is known already. */
    known: (address: Address) => byAddress.get(address),
    /** The native coin, USDC and EURC, which any wallet may have. */
    builtIn,
    /** The token at an address (empty: native), read from the chain when it is new. If it is one. */
    byAddress: async (text: string): Promise<SandboxToken | undefined> => {
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

function checked(text: string): Address | undefined {
  return isAddress(text, { strict: false }) ? getAddress(text) : undefined;
}

/** The same id for the same token at each start. */
function tokenId(blockchain: string, address: string): string {
  return derivedId(`${blockchain} ${address.toLowerCase()}`);
}
