import { type Balances, balancesAt, placeOf } from '../chain/balances';
import {
  balancesFromStart,
  booked,
  compareAtHead,
  everyBlockMax,
  type Source,
  walkOf,
} from '../chain/fromStart';
import type { Span } from '../chain/period';
import { walkEveryBlock } from '../chain/walk';
import type { Monies } from '../money';
import type { Movement } from '../movement';
import { decimal } from '../statement';

/**
 * One money in a period: amounts that all wallets together held, received and sent. Decimal. A
 * payment between two of the wallets counts on both sides.
 */
export type MoneyTotal = {
  token: string;
  /** Missing where the node keeps no balances of that block, and so is `closing`. */
  opening?: string;
  in: string;
  out: string;
  fees: string;
  closing?: string;
  /** Held beyond what opening balance and movements make. Missing where that is nothing. */
  unexplained?: string;
};

type Ends = { opening: Balances; closing: Balances };
type Sums = { in: bigint; out: bigint; fees: bigint };

/** Sums up the movements of all wallets, by money. */
export function createTotals({ all }: Monies) {
  const sums = new Map(all.map(({ symbol }) => [symbol, noSums()]));
  return {
    add: ({ money, change, kind }: Movement): void => {
      const own = sums.get(money.symbol) ?? noSums();
      if (kind === 'fee') own.fees -= change;
      else if (change < 0n) own.out -= change;
      else own.in += change;
    },
    told: (ends: Ends | undefined): MoneyTotal[] =>
      all.map(({ symbol, decimals }) => {
        const own = sums.get(symbol) ?? noSums();
        const held = (balances: Balances): bigint => heldOf(balances, symbol);
        const flows = {
          in: decimal(own.in, decimals),
          out: decimal(own.out, decimals),
          fees: decimal(own.fees, decimals),
        };
        if (ends === undefined) return { token: symbol, ...flows };
        const [opening, closing] = [held(ends.opening), held(ends.closing)];
        const off = closing - (opening + own.in - own.out - own.fees);
        return {
          token: symbol,
          opening: decimal(opening, decimals),
          ...flows,
          closing: decimal(closing, decimals),
          ...(off === 0n ? {} : { unexplained: decimal(off, decimals) }),
        };
      }),
  };
}

function noSums(): Sums {
  return { in: 0n, out: 0n, fees: 0n };
}

function heldOf(balances: Balances, symbol: string): bigint {
  const suffix = placeOf('', { symbol });
  let held = 0n;
  for (const [place, units] of balances) if (place.endsWith(suffix)) held += units;
  return held;
}

/**
 * The balances at both ends of a period. Where the node has no states of these blocks, the
 * movements since the first block make them, and the balances of now confirm that. Undefined where
 * nobody asks for such sums, or where they take too many blocks.
 */
export async function endsOf(
  source: Source,
  span: Span,
  { fromStart }: { fromStart: boolean },
): Promise<Ends | undefined> {
  const { node } = source;
  const kept = await Promise.all([span.opening, span.closing].map(node.keepsStateOf));
  if (kept.every((one) => one)) {
    const opening = await balancesAt(source, span.opening);
    return { opening, closing: await balancesAt(source, span.closing) };
  }
  if (!fromStart || span.closing > everyBlockMax) return undefined;
  const opening = await balancesFromStart(source, span);
  const closing = new Map(opening);
  const { opening: from, closing: to } = span;
  for await (const { movements } of walkEveryBlock(walkOf(source, from, to), { from, to })) {
    for (const movement of movements) booked(closing, movement);
  }
  await compareAtHead(source, new Map(closing), to);
  return { opening, closing };
}
