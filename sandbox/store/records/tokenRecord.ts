import type { Address } from 'viem';
import type { Token } from '../../../src/custody/objects/token';
import type { TokenStandard } from '../../chain/token';

/** A token that wallets can hold. The native coin has no address. */
export type SandboxToken = {
  id: string;
  address: Address | undefined;
  /** None where it is counted in whole items. */
  decimals: number;
  symbol: string;
  name?: string;
  /** ERC20 where it does not say. */
  standard?: TokenStandard;
};

/** A token that was chosen to be monitored. Its id is the token's. */
export type MonitoredTokenRow = Pick<SandboxToken, 'id' | 'symbol' | 'address'> & {
  createdAtMs: number;
};

/** A token's record on the wire. */
export function toToken(token: SandboxToken, blockchain: string): Token {
  // The record of a token does not change. Its dates are those of the chain's first day.
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
export function isItem(token: SandboxToken): boolean {
  return standardOf(token) !== 'ERC20';
}

export function standardOf({ standard = 'ERC20' }: SandboxToken): TokenStandard {
  return standard;
}
