import { type Balances, balancesAt, findMonies, placeOf, refuseDifference } from './chain/balances';
import { balancesFromStart, booked, compareAtHead, walkOf } from './chain/fromStart';
import type { ChainNode } from './chain/node';
import { type Period, spanOf } from './chain/period';
import { type Window, walkByStates, walkEveryBlock } from './chain/walk';
import type { Money, Monies } from './money';
import type { Movement } from './movement';

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
  const source = { ...asked, monies };
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
    : await balancesFromStart(source, span);
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
  } else await compareAtHead(source, balances, span.closing);
}

type Parts = { asked: BooksAsked; monies: Monies; opening: number; closing: number };

function windows(parts: Parts, keepsStates: boolean): AsyncGenerator<Window> {
  const { opening: from, closing: to } = parts;
  const walk = walkOf({ ...parts.asked, monies: parts.monies }, from, to);
  return keepsStates ? walkByStates(walk, { from, to }) : walkEveryBlock(walk, { from, to });
}
