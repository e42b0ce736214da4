import type { Monies } from '../money';
import type { Movement } from '../movement';
import { StatementError } from '../statementError';
import { type Balances, balancesAt, placeOf, refuseDifference } from './balances';
import type { ChainNode } from './node';
import type { Span } from './period';
import { type Walk, walkEveryBlock } from './walk';

/** Some wallets, by their addresses in lower case, on a node that keeps no old balances. */
export type Source = {
  node: ChainNode;
  monies: Monies;
  wallets: readonly string[];
  /** Hears how many blocks are done, and of how many. */
  onProgress?: ((done: number, all: number) => void) | undefined;
};

/** A chain whose node keeps no old balances is read from its first block. */
export const everyBlockMax = 500_000;
const headTriesMax = 10;

/** Adds a movement to the balance of its wallet, and returns the new balance. */
export function booked(balances: Balances, { wallet, money, change }: Movement): bigint {
  const place = placeOf(wallet, money);
  const balance = (balances.get(place) ?? 0n) + change;
  balances.set(place, balance);
  return balance;
}

/** The walk through some blocks, which tells its progress. */
export function walkOf(
  { node, monies, wallets, onProgress }: Source,
  from: number,
  to: number,
): Walk {
  const onBlock = (block: number): void => onProgress?.(block - from, to - from);
  return { node, monies, watched: new Set(wallets), onBlock };
}

/** The balances at the opening block, as all movements before it make them. */
export async function balancesFromStart(
  source: Source,
  { opening, closing }: Span,
): Promise<Balances> {
  if (closing > everyBlockMax) {
    throw new StatementError(
      `CHAIN_RPC_URL: the node has no balances of block ${opening}, and ${closing} blocks ` +
        'are too many to read them all. Give a node that keeps old states (an archive node).',
    );
  }
  const balances: Balances = new Map();
  const range = { from: -1, to: opening };
  for await (const { movements } of walkEveryBlock(walkOf(source, -1, opening), range)) {
    for (const movement of movements) booked(balances, movement);
  }
  return balances;
}

/**
 * Goes on from a block to the newest one, whose balances every node has, and compares them. Throws
 * a DifferenceError if they are others.
 */
export async function compareAtHead(
  source: Source,
  balances: Balances,
  from: number,
): Promise<void> {
  const { node, monies } = source;
  for (let tries = 1; ; tries += 1) {
    const head = await node.head();
    const shown = await balancesAt(source, head).catch((error: unknown) => {
      // A new block came meanwhile.
      if (tries === headTriesMax) throw error;
      return undefined;
    });
    if (shown === undefined) continue;
    for await (const { movements } of walkEveryBlock(walkOf(source, from, head), {
      from,
      to: head,
    })) {
      for (const movement of movements) booked(balances, movement);
    }
    refuseDifference(shown, balances, { monies, block: head });
    return;
  }
}
