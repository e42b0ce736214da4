import { networks } from '../custody/networks/networks';
import { isNativeCoin } from '../custody/objects/money';

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
 * native coin are one balance. Any other token is its address, in lower case.
 */
export function coinOf(token: string): string {
  const face = token.startsWith('0x') ? token.toLowerCase() : token;
  return faces.get(face) ?? face;
}
