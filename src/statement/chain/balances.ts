import { fromBaseUnits } from '../../custody/objects/amount';
import { chainOf, type Money, type Monies, moniesOf } from '../money';
import { DifferenceError, StatementError } from '../statementError';
import type { ChainNode } from './node';

/** Balances in base units, by wallet and money. */
export type Balances = Map<string, bigint>;

export function placeOf(wallet: string, money: Pick<Money, 'symbol'>): string {
  return `${wallet} ${money.symbol}`;
}

/** Reads the balance of every wallet in every money at a block. */
export async function balancesAt(
  { node, monies, wallets }: { node: ChainNode; monies: Monies; wallets: readonly string[] },
  block: number,
): Promise<Balances> {
  const places = wallets.flatMap((wallet) => monies.all.map((money) => ({ wallet, money })));
  const read = places.map(
    async ({ wallet, money }) =>
      [placeOf(wallet, money), await node.balance(money, wallet, block)] as const,
  );
  return new Map(await Promise.all(read));
}

/** Throws a DifferenceError unless balances are as the movements make them. */
export function refuseDifference(
  expected: Balances,
  summed: Balances,
  { monies, block }: { monies: Monies; block: number },
): void {
  const off = [...expected].flatMap(([place, units]) => {
    const [wallet = '', symbol = ''] = place.split(' ');
    const difference = units - (summed.get(place) ?? 0n);
    const { decimals = 0 } = monies.all.find((money) => money.symbol === symbol) ?? {};
    const amount = fromBaseUnits(difference < 0n ? -difference : difference, decimals);
    const words = `${wallet} has ${amount} ${symbol} ${difference < 0n ? 'less' : 'more'}`;
    return difference === 0n ? [] : [words];
  });
  if (off.length === 0) return;
  throw new DifferenceError(
    `At block ${block}, ${off.join(', and ')} than opening balance and movements make. ` +
      'A contract has moved it without a log, or the node leaves something out.',
  );
}

/** Number of blocks whose senders are looked at, and of senders. */
const [blocksLookedAt, sendersMax] = [20, 50];

/**
 * The monies of a chain. Coin and token are one if everybody holds as much of both: the wallets,
 * and those who sent the last transactions. A wallet may do so by chance, as after a faucet's drip.
 */
export async function findMonies(
  node: ChainNode,
  { blockchain, wallets, head }: { blockchain: string; wallets: readonly string[]; head: number },
): Promise<Monies> {
  const chainId = await node.chainId();
  const expected = chainOf(blockchain).chainId;
  if (chainId !== expected) {
    throw new StatementError(
      `CHAIN_RPC_URL: is a node of chain ${chainId}, but ${blockchain} is chain ${expected}.`,
    );
  }
  const two = moniesOf(blockchain, false);
  const twin = two.all.find(({ address }) =>
    chainOf(blockchain).nativeTwins.some((one) => one.toLowerCase() === address),
  );
  if (twin === undefined) return two;
  const unitsEach = 10n ** BigInt(two.coin.decimals - twin.decimals);
  const isOne = async (holder: string): Promise<boolean | undefined> => {
    const [coins, tokens] = await Promise.all([
      node.balance(two.coin, holder, head),
      node.balance(twin, holder, head),
    ]);
    return coins === 0n && tokens === 0n ? undefined : coins / unitsEach === tokens;
  };
  const toldBy = async (holders: readonly string[]): Promise<(boolean | undefined)[]> =>
    Promise.all([...new Set(holders)].map(isOne));
  const own = await toldBy(wallets);
  if (own.includes(false)) return two;
  const numbers = Array.from({ length: blocksLookedAt }, (_, index) => head - index);
  const blocks = await node.blocks(numbers.filter((number) => number >= 0));
  const senders = blocks.flatMap(({ transactions }) =>
    transactions.map((one) => one.transaction.from),
  );
  const told = [...own, ...(await toldBy(senders.slice(0, sendersMax)))];
  return moniesOf(blockchain, told.includes(true) && !told.includes(false));
}
