import { derivedId } from '../../../sandbox/store/records/derivedId';
import { networks } from '../../../src/custody/networks/networks';
import type { Token } from '../../../src/custody/objects/token';

export const blockchain = 'ARC-TESTNET';

const date = '2026-01-01T00:00:00Z';

/** The three tokens that every wallet has, as the service describes them. */
export const tokens: readonly (Token & { decimals: number })[] = (
  networks[blockchain]?.tokens ?? []
).map(({ symbol, address, decimals, id = derivedId(`token ${address}`) }) => ({
  id,
  blockchain,
  isNative: address === '',
  name: symbol === 'native' ? 'USDC' : symbol,
  symbol: symbol === 'native' ? 'USDC' : symbol,
  decimals,
  ...(address === '' ? {} : { standard: 'ERC20', tokenAddress: address.toLowerCase() }),
  createDate: date,
  updateDate: date,
}));
