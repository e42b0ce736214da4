import { addTo } from '../../checks/addTo';
import { fromBaseUnits } from '../../custody/objects/amount';
import type { Money, Monies } from '../money';
import type { Movement } from '../movement';
import { DifferenceError } from '../statementError';
import { blockMovements } from './blockMovements';
import { blocksOfInterest, type Looking } from './blocksOfInterest';
import type { WholeBlock } from './node';
import { movesIn } from './tokenLogs';

/** All movements of some wallets in some blocks, and where to read them. */
export type MovementWalk = Looking & {
  monies: Monies;
  /** Called after each window with the last block that is done. */
  onBlock?: ((block: number) => void) | undefined;
};

/** The movements of one window of blocks, and its last block. */
export type BlockWindow = { until: number; movements: Movement[] };

/** Number of blocks that are read whole at a time. */
const wholeAtOnce = 50;
const windowFirst = 200;
const windowMax = 500_000;
/** A quiet account gets large windows soon, since balances are compared at the end of each. */
const windowGrowth = 8;
/** A window ends at this block of interest, so that no busy hour is in memory whole. */
const busyMax = 500;
/** The next window is as large as makes so many logs. A node tells them all at once. */
const logsWanted = 1_500;

/**
 * Reads the movements of the blocks after `from`, up to `to` and with it. Finds the blocks by logs.
 * Then it compares each wallet's balance of the coin before and after, and reads the blocks in
 * which the coin has moved without a log. Throws a DifferenceError where a whole block does not
 * explain its change of a balance.
 */
export async function* walkByStates(
  walk: MovementWalk,
  { from, to }: { from: number; to: number },
): AsyncGenerator<BlockWindow> {
  let size = windowFirst;
  let before = await coinsAt(walk, from);
  for (let low = from; low < to; ) {
    const asked = low + size < to ? walk.node.endOfWindow(low, low + size) : to;
    const found = await blocksOfInterest(walk, [low + 1, asked]);
    const numbers = found.numbers.slice(0, busyMax);
    const high = found.numbers.length > busyMax ? (numbers.at(-1) ?? asked) : asked;
    const after = await coinsAt(walk, high);
    const reach = { low, high, before, after };
    const read: Found = new Map();
    await addWhole(walk, read, numbers);
    const missed = await unexplained(walk, read, reach);
    await addWhole(walk, read, missed);
    if (missed.length > 0) await unexplained(walk, read, reach);
    yield { until: high, movements: [...read].sort(byNumber).flatMap(([, own]) => own) };
    walk.onBlock?.(high);
    const fitting = ((asked - low) * logsWanted) / Math.max(1, found.logs);
    size = Math.max(1, Math.min(windowMax, size * windowGrowth, Math.floor(fitting)));
    low = high;
    before = after;
  }
}

/** Reads every block after `from`, up to `to` and with it, from a node without old balances. */
export async function* walkEveryBlock(
  walk: MovementWalk,
  { from, to }: { from: number; to: number },
): AsyncGenerator<BlockWindow> {
  for (let low = from; low < to; low += wholeAtOnce) {
    const until = Math.min(low + wholeAtOnce, to);
    const numbers = Array.from({ length: until - low }, (_, index) => low + 1 + index);
    const read = await readWhole(walk, numbers);
    yield { until, movements: read.flatMap(([, movements]) => movements) };
    walk.onBlock?.(until);
  }
}

type Found = Map<number, Movement[]>;
type Coins = ReadonlyMap<string, bigint>;

function byNumber([one]: [number, unknown], [other]: [number, unknown]): number {
  return one - other;
}

async function addWhole(
  walk: MovementWalk,
  found: Found,
  numbers: readonly number[],
): Promise<void> {
  for (let first = 0; first < numbers.length; first += wholeAtOnce) {
    const read = await readWhole(walk, numbers.slice(first, first + wholeAtOnce));
    for (const [number, movements] of read) found.set(number, movements);
  }
}

/** Reads blocks whole. Returns what each of them moves. */
export async function readWhole(
  walk: Pick<MovementWalk, 'node' | 'monies' | 'watched'>,
  numbers: readonly number[],
): Promise<[number, Movement[]][]> {
  const { node, monies, watched } = walk;
  const blocks = await node.blocks(numbers);
  const strange = new Set(blocks.flatMap((block) => strangeTokens(block, walk)));
  await Promise.all([...strange].map(async (one) => monies.learn(one, await node.decimals(one))));
  return blocks.map((block) => [block.number, blockMovements(block, watched, monies)]);
}

/** The contracts of tokens that watched wallets move here for the first time. */
function strangeTokens(
  { transactions }: WholeBlock,
  { monies, watched }: Pick<MovementWalk, 'monies' | 'watched'>,
): string[] {
  const logs = transactions.flatMap(({ receipt }) => receipt.logs);
  const unknown = logs.filter(({ address }) => !monies.knows(address));
  return unknown
    .flatMap(movesIn)
    .filter(({ item, from, to }) => item === undefined && (watched.has(from) || watched.has(to)))
    .map(({ token }) => token);
}

function differing(of: { wallet: string; money: Money; block: number; off: bigint }) {
  const { wallet, money, block, off } = of;
  const amount = fromBaseUnits(off < 0n ? -off : off, money.decimals);
  return new DifferenceError(
    `${wallet} has ${amount} ${money.name} ${off < 0n ? 'less' : 'more'} than its movements in ` +
      `block ${block} explain. Look at that block: a contract has moved the coin without a log.`,
  );
}

function coinsAt({ node, monies, watched }: MovementWalk, block: number): Promise<Coins> {
  const read = [...watched].map(
    async (wallet) => [wallet, (await node.balance(monies.coin, wallet, block)) ?? 0n] as const,
  );
  return Promise.all(read).then((entries) => new Map(entries));
}

type Reach = { low: number; high: number; before: Coins; after: Coins };

/**
 * The blocks in which the coin of a wallet has moved, and nothing that was read tells so. Throws a
 * DifferenceError if such a block was read already.
 */
async function unexplained(walk: MovementWalk, found: Found, reach: Reach): Promise<number[]> {
  const missed = new Set<number>();
  const known = coinsByWallet(found, walk.monies.coin);
  for (const wallet of walk.watched) {
    const ends = [reach.before.get(wallet) ?? 0n, reach.after.get(wallet) ?? 0n] as const;
    const of = { wallet, found, known: known.get(wallet) ?? [] };
    for (const block of await halve(walk, of, { ...reach, ends })) missed.add(block);
  }
  return [...missed];
}

/** The known change of a wallet's coin, by block. */
type Known = readonly { block: number; change: bigint }[];

function coinsByWallet(
  found: Found,
  coin: Money,
): Map<string, { block: number; change: bigint }[]> {
  const known = new Map<string, { block: number; change: bigint }[]>();
  for (const { wallet, money, block, change } of [...found.values()].flat()) {
    if (money === coin) addTo(known, wallet, { block, change });
  }
  return known;
}

async function halve(
  walk: MovementWalk,
  of: { wallet: string; found: Found; known: Known },
  { low, high, ends }: { low: number; high: number; ends: readonly [bigint, bigint] },
): Promise<number[]> {
  const { coin } = walk.monies;
  const known = of.known.filter(({ block }) => block > low && block <= high);
  const off = known.reduce((rest, { change }) => rest - change, ends[1] - ends[0]);
  if (off === 0n) return [];
  if (high === low + 1) {
    if (!of.found.has(high)) return [high];
    throw differing({ wallet: of.wallet, money: coin, block: high, off });
  }
  const middle = Math.floor((low + high) / 2);
  const between = (await walk.node.balance(coin, of.wallet, middle)) ?? 0n;
  const half = { ...of, known };
  const left = await halve(walk, half, { low, high: middle, ends: [ends[0], between] });
  return [...left, ...(await halve(walk, half, { low: middle, high, ends: [between, ends[1]] }))];
}
