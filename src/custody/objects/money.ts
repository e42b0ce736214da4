import { type KnownToken, networks } from '../networks/networks';
import { sameText } from './sameText';

/**
 * Some tokens of a chain are one money: on Arc, USDC is the native coin under another address, and
 * with other decimals. An address is a token's. The native coin's is empty.
 */

/** The one address of a money, in lower case. A native coin and its twins are the native coin. */
export function moneyOf(address: string, blockchain: string): string {
  const lower = address.toLowerCase();
  return twinsOn(blockchain).includes(lower) ? '' : lower;
}

/** True for the native coin of a chain, and for its twins. */
export function isNativeCoin(address: string, blockchain: string): boolean {
  return moneyOf(address, blockchain) === '';
}

/** True if two token addresses are one money. */
export function sameMoney(one: string, other: string, blockchain: string): boolean {
  return moneyOf(one, blockchain) === moneyOf(other, blockchain);
}

/** The tokens that are one balance with the native coin, in lower case. */
export function twinsOn(blockchain: string): readonly string[] {
  const { nativeTwins = [] } = networks[blockchain] ?? {};
  return nativeTwins.map((twin) => twin.toLowerCase());
}

/** A native coin has 18 decimals, and its twin 6. */
export const coinUnitsPerTwinUnit = 10n ** 12n;

/** The token of a network that somebody names by its symbol or its address. */
export function listedToken(blockchain: string, named: string): KnownToken | undefined {
  return networks[blockchain]?.tokens.find(
    ({ symbol, address }) => symbol === named || sameText(address, named),
  );
}
