import { type Address, toFunctionSelector } from 'viem';
import type { Chain } from './chain';

/** The balances of an account at the newest block. Each is read once, at its first use. */
export type Holdings = ReturnType<typeof createHoldings>;

const selector = toFunctionSelector('balanceOf(address)');

/** To be forgotten before the next block. */
export function createHoldings(
  { client, readNumber }: Pick<Chain, 'client' | 'readNumber'>,
  owner: Address,
) {
  const coins = new Map<Address, Promise<bigint>>();
  let native: Promise<bigint> | undefined;
  return {
    native: (): Promise<bigint> => {
      native ??= client.getBalance({ address: owner });
      return native;
    },
    /** Of USDC or EURC. */
    coin: (to: Address): Promise<bigint> => {
      const held = coins.get(to) ?? readNumber({ to, selector, words: [owner] });
      coins.set(to, held);
      return held;
    },
  };
}
