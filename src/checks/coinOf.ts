import { isNativeCoin } from '../custody/objects/money';
import { networks } from '../networks/networks';

/** The faces of known coins, by their symbols and addresses. */
const faces = new Map(
  Object.entries(networks).flatMap(([blockchain, { tokens }]) =>
    tokens.flatMap(({ symbol, address }) => {
      const coin = isNativeCoin(address, blockchain) ? 'native' : symbol;
      return [symbol, address.toLowerCase()].map((face) => [face, coin] as const);
    }),
  ),
);

/**
 * One name for a coin that lines may call in several ways. On Arc, USDC, its contract and the
 * native coin are one balance.
 */
export function coinOf(token: string): string {
  return faces.get(token) ?? faces.get(token.toLowerCase()) ?? token;
}
