import {
  balanceName,
  balancesAt,
  findMonies,
  type HeldBalance,
  listedPlaces,
  refuseDifference,
  toCompare,
} from './chain/balances';
import { beyondListed } from './chain/beyondListed';
import {
  type BalanceSource,
  balancesFromStart,
  booked,
  compareAtHead,
  walkBlocks,
} from './chain/fromStart';
import type { ChainNode } from './chain/node';
import { type BlockSpan, findSpan, type Period } from './chain/period';
import { type BlockWindow, walkByStates, walkEveryBlock } from './chain/walk';
import type { Money } from './money';
import type { Movement } from './movement';
import { leftInWords, unprovenInWords } from './notLookedAt';
import type { HeldToken } from './records/heldTokens';

/** A balance at a block, or a movement with the balance after it. In base units. */
export type BookRow =
  | {
      row: 'opening' | 'closing';
      wallet: string;
      money: Money;
      block: number;
      timeMs: number;
      balance: bigint | undefined;
    }
  | { row: 'movement'; movement: Movement; balance: bigint | undefined };

/** The books to read: wallets by their addresses in lower case. */
export type BooksAsked = {
  node: ChainNode;
  blockchain: string;
  wallets: readonly string[];
  period: Period;
  /** Tokens and items that the wallets hold now, by the service. */
  held?: readonly HeldToken[];
  /** Hears how many blocks are done, and of how many. */
  onProgress?: (done: number, all: number) => void;
};

/**
 * Reads the books of wallets from the chain: the balance at the opening block, every movement, the
 * balance at the closing block. It holds one window of blocks at a time. A token that is not listed
 * may have its opening balance just before its first movement. Throws a DifferenceError at the end
 * unless the balances of listed monies are those that the movements make. Returns in words
 * all that was not compared, whose rows have no balance.
 */
export async function* readBooks(asked: BooksAsked): AsyncGenerator<BookRow, string[]> {
  const { node, wallets, period, held = [] } = asked;
  const span = await findSpan(node, period);
  const { opening, closing } = span;
  const monies = await findMonies(node, asked.blockchain);
  const keepsStates = await node.keepsStateOf(opening);
  const blocks = closing - opening;
  const beyond = await beyondListed(node, { monies, held, block: opening, keepsStates, blocks });
  const { contracts, arrivals } = beyond;
  const source = { ...asked, monies, contracts, arrivals };
  const openingMs = await node.timeMsOf(opening);
  const places = [...listedPlaces(wallets, monies), ...beyond.places];
  const balances = keepsStates
    ? await balancesAt(node, places, opening)
    : await balancesFromStart(source, span);
  const opened = new Set<string>();
  const begin = ({ wallet, money, units: balance }: HeldBalance): BookRow => {
    opened.add(balanceName({ wallet, money }));
    return { row: 'opening', wallet, money, block: opening, timeMs: openingMs, balance };
  };
  for (const one of balances.values()) if (one.money.isListed || one.units !== 0n) yield begin(one);
  for await (const { movements } of windows(source, span, keepsStates)) {
    for (const movement of movements) {
      const { wallet, money } = movement;
      const name = balanceName(movement);
      if (!opened.has(name)) {
        const units = keepsStates ? await node.balance(money, wallet, opening) : 0n;
        balances.set(name, balances.get(name) ?? { wallet, money, units });
        yield begin({ wallet, money, units });
      }
      yield { row: 'movement', movement, balance: booked(balances, movement) };
    }
  }
  const seen = [...balances.values()].filter((one) => opened.has(balanceName(one)));
  const { some, left } = toCompare(seen);
  const unproven = keepsStates
    ? refuseDifference(await balancesAt(node, some.values(), closing), some, closing)
    : await compareAtHead(source, some, closing);
  const strange = new Set(unproven.map(balanceName));
  const timeMs = await node.timeMsOf(closing);
  for (const { wallet, money, units } of seen) {
    const name = balanceName({ wallet, money });
    const balance = some.has(name) && !strange.has(name) ? units : undefined;
    yield { row: 'closing', wallet, money, block: closing, timeMs, balance };
  }
  return [...beyond.notLookedAt, ...unprovenInWords(unproven), ...leftInWords(left)];
}

function windows(
  source: BalanceSource,
  span: BlockSpan,
  keepsStates: boolean,
): AsyncGenerator<BlockWindow> {
  const { opening: from, closing: to } = span;
  const walk = walkBlocks(source, from, to);
  return keepsStates ? walkByStates(walk, { from, to }) : walkEveryBlock(walk, { from, to });
}
