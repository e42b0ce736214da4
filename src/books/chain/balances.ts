import { fromBaseUnits } from '../../custody/objects/amount';
import { chainOf, type Money, type Monies, moniesOf } from '../money';
import { DifferenceError, StatementError } from '../statementError';
import type { ChainNode } from './node';

/** A wallet, and a money that it holds or has moved. */
export type MoneyPlace = { wallet: string; money: Money };

/** A balance in base units. Undefined where nobody tells it. */
export type HeldBalance = MoneyPlace & { units: bigint | undefined };

/** The balances of places, each under its name. */
export type Balances = Map<string, HeldBalance>;

export function balanceName({ wallet, money }: MoneyPlace): string {
  return `${wallet} ${money.name}`;
}

/** Every wallet with every listed money. */
export function listedPlaces(wallets: readonly string[], { listed }: Monies): MoneyPlace[] {
  return wallets.flatMap((wallet) => listed.map((money) => ({ wallet, money })));
}

/** An airdrop may have any number of items. Beyond so many, balances of unlisted monies are left. */
export const unlistedMax = 500;

/** The balances to compare: all of listed monies, and a bounded number of others. */
export function toCompare(balances: Iterable<HeldBalance>): { some: Balances; left: number } {
  const all = [...balances];
  const others = all.filter(({ money }) => !money.isListed);
  const some = [...all.filter(({ money }) => money.isListed), ...others.slice(0, unlistedMax)];
  return {
    some: new Map(some.map((one) => [balanceName(one), one])),
    left: Math.max(0, others.length - unlistedMax),
  };
}

/** Reads the balances of places at a block. */
export async function balancesAt(
  node: ChainNode,
  places: Iterable<MoneyPlace>,
  block: number,
): Promise<Balances> {
  const read = [...places].map(async ({ wallet, money }): Promise<[string, HeldBalance]> => {
    const units = await node.balance(money, wallet, block);
    return [balanceName({ wallet, money }), { wallet, money, units }];
  });
  return new Map(await Promise.all(read));
}

/** A balance that is not what opening balance and movements make. */
export type Difference = MoneyPlace & {
  /** The units beyond that. Undefined where nobody tells its balance. */
  off: bigint | undefined;
};

/** The balances that are not as the movements make them. */
function differences(shown: Balances, summed: Balances): Difference[] {
  return [...shown].flatMap(([name, { wallet, money, units }]) => {
    const { units: made } = summed.get(name) ?? { units: 0n };
    const off = units === undefined || made === undefined ? undefined : units - made;
    return off === 0n ? [] : [{ wallet, money, off }];
  });
}

/**
 * Throws a DifferenceError if balances of listed monies are not as the movements make them. Returns
 * the other differences: any contract may tell anything of its own token.
 */
export function refuseDifference(shown: Balances, summed: Balances, block: number): Difference[] {
  const found = differences(shown, summed);
  const off = found.filter(({ money }) => money.isListed);
  if (off.length === 0) return found;
  throw new DifferenceError(
    `At block ${block}, ${off.map(inWords).join(', and ')} than opening balance and movements ` +
      'make. A contract has moved it without a log, or the node leaves something out.',
  );
}

function inWords({ wallet, money, off = 0n }: Difference): string {
  const amount = fromBaseUnits(off < 0n ? -off : off, money.decimals);
  return `${wallet} has ${amount} ${money.name} ${off < 0n ? 'less' : 'more'}`;
}

/** The monies of a chain. Throws a StatementError if the node is one of another chain. */
export async function findMonies(node: ChainNode, blockchain: string): Promise<Monies> {
  const chainId = await node.chainId();
  const expected = chainOf(blockchain).chainId;
  if (chainId !== expected) {
    throw new StatementError(
      `CHAIN_RPC_URL: is a node of chain ${chainId}, but ${blockchain} is chain ${expected}.`,
    );
  }
  return moniesOf(blockchain);
}
