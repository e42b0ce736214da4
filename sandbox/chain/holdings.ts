import { type Address, toFunctionSelector } from 'viem';
import { isBlocked } from './blocklist';
import type { Chain } from './chain';

/** The balances of an account at the newest block, and its place on the block list. Each is read once. */
export type Holdings = ReturnType<typeof createHoldings>;

const selector = toFunctionSelector('balanceOf(address)');

/** To be forgotten before the next block. */
export function createHoldings(
  chain: Pick<Chain, 'client' | 'contracts' | 'readNumber'>,
  owner: Address,
) {
  const { client, readNumber } = chain;
  const coins = new Map<Address, Promise<bigint>>();
  let native: Promise<bigint> | undefined;
  let blocked: Promise<boolean> | undefined;
  return {
    native: (): Promise<bigint> => {
      native ??= client.getBalance({ address: owner });
      return native;
    },
    isBlocked: (): Promise<boolean> => {
      blocked ??= isBlocked(chain, [owner]);
      return blocked;
    },
    /** The balance in USDC or EURC. */
    coin: (to: Address): Promise<bigint> => {
      const held = coins.get(to) ?? readNumber({ to, selector, words: [owner] });
      coins.set(to, held);
      return held;
    },
  };
}
