import { type Balances, balancesAt, findMonies, placeOf, refuseDifference } from './chain/balances';
import type { ChainNode } from './chain/node';
import { type Period, spanOf } from './chain/period';
import { type Walk, type Window, walkByStates, walkEveryBlock } from './chain/walk';
import type { Money, Monies } from './money';
import type { Movement } from './movement';
import { StatementError } from './statementError';

/** A balance at a block, or a movement with the balance after it. In base units. */
export type BookRow =
  | {
      row: 'opening' | 'closing';
      wallet: string;
      money: Money;
      block: number;
      timeMs: number;
      balance: bigint;
    }
  | { row: 'movement'; movement: Movement; balance: bigint };

/** The books to read: wallets by their addresses in lower case. */
export type BooksAsked = {
  node: ChainNode;
  blockchain: string;
  wallets: readonly string[];
  period: Period;
  /** Hears how many blocks are done, and of how many. */
  onProgress?: (done: number, all: number) => void;
};

/** A chain whose node keeps no old balances is read from its first block. */
const everyBlockMax = 500_000;
const headTriesMax = 10;

/**
 * Reads the books of wallets from the chain: the balance at the opening block, every movement, the
 * balance at the closing block. It holds one window of blocks at a time. Throws a DifferenceError
 * at the end unless the balances of the chain are those that the movements make.
 */
export async function* readBooks(asked: BooksAsked): AsyncGenerator<BookRow> {
  const { node, wallets, period } = asked;
  const span = await spanOf(node, period);
  const monies = await findMonies(node, { ...asked, head: span.head });
  const keepsStates = await node.keepsStateOf(span.opening);
  const parts = { asked, monies, ...span };
  const times = {
    opening: await node.timeMsOf(span.opening),
    closing: await node.timeMsOf(span.closing),
  };
  const ends = (row: 'opening' | 'closing', balances: Balances): BookRow[] =>
    wallets.flatMap((wallet) =>
      monies.all.map((money) => ({
        row,
        wallet,
        money,
        block: span[row],
        timeMs: times[row],
        balance: balances.get(placeOf(wallet, money)) ?? 0n,
      })),
    );
  const balances = keepsStates
    ? await balancesAt({ node, monies, wallets }, span.opening)
    : await summedUntilOpening(parts);
  yield* ends('opening', balances);
  for await (const { movements } of windows(parts, keepsStates)) {
    for (const movement of movements) {
      yield { row: 'movement', movement, balance: booked(balances, movement) };
    }
  }
  yield* ends('closing', balances);
  if (keepsStates) {
    const shown = await balancesAt({ node, monies, wallets }, span.closing);
    refuseDifference(shown, balances, { monies, block: span.closing });
  } else await compareAtHead(parts, balances);
}

type Parts = { asked: BooksAsked; monies: Monies; opening: number; closing: number };

/** Adds a movement to the balance of its wallet, and returns the new balance. */
function booked(balances: Balances, { wallet, money, change }: Movement): bigint {
  const place = placeOf(wallet, money);
  const balance = (balances.get(place) ?? 0n) + change;
  balances.set(place, balance);
  return balance;
}

function windows(parts: Parts, keepsStates: boolean): AsyncGenerator<Window> {
  const { opening: from, closing: to } = parts;
  return keepsStates
    ? walkByStates(walkOf(parts, from, to), { from, to })
    : walkEveryBlock(walkOf(parts, from, to), { from, to });
}

function walkOf({ asked, monies }: Parts, from: number, to: number): Walk {
  const { node, wallets, onProgress } = asked;
  const onBlock = (block: number): void => onProgress?.(block - from, to - from);
  return { node, monies, watched: new Set(wallets), onBlock };
}

/** The balances at the opening block, as all movements before it make them. */
async function summedUntilOpening(parts: Parts): Promise<Balances> {
  const { opening } = parts;
  if (parts.closing > everyBlockMax) {
    throw new StatementError(
      `CHAIN_RPC_URL: the node has no balances of block ${opening}, and ${parts.closing} blocks ` +
        'are too many to read them all. Give a node that keeps old states (an archive node).',
    );
  }
  const balances: Balances = new Map();
  const range = { from: -1, to: opening };
  for await (const { movements } of walkEveryBlock(walkOf(parts, -1, opening), range)) {
    for (const movement of movements) booked(balances, movement);
  }
  return balances;
}

/** Goes on to the newest block, whose balances every node has, and compares them. */
async function compareAtHead(parts: Parts, balances: Balances): Promise<void> {
  const { node, wallets } = parts.asked;
  const { monies } = parts;
  for (let tries = 1; ; tries += 1) {
    const head = await node.head();
    const shown = await balancesAt({ node, monies, wallets }, head).catch((error: unknown) => {
      // A new block came meanwhile.
      if (tries === headTriesMax) throw error;
      return undefined;
    });
    if (shown === undefined) continue;
    const later = { from: parts.closing, to: head };
    for await (const { movements } of walkEveryBlock(walkOf(parts, later.from, head), later)) {
      for (const movement of movements) booked(balances, movement);
    }
    refuseDifference(shown, balances, { monies, block: head });
    return;
  }
}
