import type { Monies } from '../money';
import type { Movement } from '../movement';
import { StatementError } from '../statementError';
import {
  type Balances,
  balanceName,
  balancesAt,
  type Difference,
  listedPlaces,
  refuseDifference,
} from './balances';
import type { ChainNode } from './node';
import type { BlockSpan } from './period';
import { type MovementWalk, walkEveryBlock } from './walk';

/** Some wallets, by their addresses in lower case, on a node that keeps no old balances. */
export type BalanceSource = {
  node: ChainNode;
  monies: Monies;
  wallets: readonly string[];
  /** The contracts whose logs are read. Undefined: all contracts. */
  contracts?: readonly string[] | undefined;
  /** False where items that come in by ERC-1155 are not looked for. */
  arrivals?: boolean | undefined;
  /** Hears how many blocks are done, and of how many. */
  onProgress?: ((done: number, all: number) => void) | undefined;
};

/** A chain whose node keeps no old balances is read from its first block. */
export const everyBlockMax = 500_000;
const headTriesMax = 10;

/** Adds a movement to the balance of its wallet, and returns the new balance. */
export function booked(
  balances: Balances,
  { wallet, money, change }: Movement,
): bigint | undefined {
  const name = balanceName({ wallet, money });
  const { units: before } = balances.get(name) ?? { units: 0n };
  const units = before === undefined ? undefined : before + change;
  balances.set(name, { wallet, money, units });
  return units;
}

/** The walk through some blocks, which tells its progress. */
export function walkBlocks(
  { node, monies, wallets, contracts, arrivals, onProgress }: BalanceSource,
  from: number,
  to: number,
): MovementWalk {
  const onBlock = (block: number): void => onProgress?.(block - from, to - from);
  return { node, monies, watched: new Set(wallets), contracts, arrivals, onBlock };
}

/** The balances at the opening block, as all movements before it make them. */
export async function balancesFromStart(
  source: BalanceSource,
  { opening, closing }: BlockSpan,
): Promise<Balances> {
  if (closing > everyBlockMax) {
    throw new StatementError(
      `CHAIN_RPC_URL: the node has no balances of block ${opening}, and ${closing} blocks ` +
        'are too many to read them all. Give a node that keeps old states (an archive node).',
    );
  }
  const listed = listedPlaces(source.wallets, source.monies);
  const balances: Balances = new Map(
    listed.map((one) => [balanceName(one), { ...one, units: 0n }]),
  );
  const range = { from: -1, to: opening };
  for await (const { movements } of walkEveryBlock(walkBlocks(source, -1, opening), range)) {
    for (const movement of movements) booked(balances, movement);
  }
  return balances;
}

/**
 * Goes on from a block to the newest one, whose balances every node has, and compares them. Throws
 * a DifferenceError if those of listed monies are others. Returns the other differences.
 */
export async function compareAtHead(
  source: BalanceSource,
  summed: Balances,
  from: number,
): Promise<Difference[]> {
  const { node } = source;
  const balances: Balances = new Map(summed);
  for (let tries = 1; ; tries += 1) {
    const head = await node.head();
    const shown = await balancesAt(node, summed.values(), head).catch((error: unknown) => {
      // A new block came meanwhile.
      if (tries === headTriesMax) throw error;
      return undefined;
    });
    if (shown === undefined) continue;
    const range = { from, to: head };
    for await (const { movements } of walkEveryBlock(walkBlocks(source, from, head), range)) {
      for (const movement of movements) booked(balances, movement);
    }
    return refuseDifference(shown, balances, head);
  }
}
