import { fromBaseUnits, unitsOfText } from '../../custody/objects/amount';
import { unlistedMax } from '../chain/balances';
import { type BlockSpan, spanWhenOver, withEarlier } from '../chain/period';
import { moniesOf } from '../money';
import { DifferenceError } from '../statementError';
import {
  type Class,
  type ClassCounts,
  countsInWords,
  noCounts,
  type ReconcileRow,
  troublesIn,
} from './finding';
import { type Covered, type ReconcileAsked, reconcile } from './reconcile';
import type { MoneyTotal } from './totals';

/** The result of a closed day, as Temporal keeps it. Amounts are decimal. */
export type Closed = {
  day: string;
  timeZone: string;
  /** The last block before the day, and the last one of it. */
  blocks: { opening: number; closing: number };
  wallets: number;
  /** True if nobody has to look. */
  isBalanced: boolean;
  /** The result as a sentence. */
  summary: string;
  counts: ClassCounts;
  /** Sums by class and listed token. */
  sums: Partial<Record<Class, Record<string, string>>>;
  /** The first ones: listed tokens, then tokens with an unexplained difference, then others. */
  balances: MoneyTotal[];
  /** The first rows of every class that is not matched. */
  rows: ReconcileRow[];
  /** False if the workers keep no archive, which then was not compared. */
  hasArchive: boolean;
  /** All else that was not compared, in words. */
  notLookedAt: string[];
};

type CloseParts = Omit<ReconcileAsked, 'span'> & {
  day: string;
  timeZone: string;
  /** The last block of the day, as it was when the close was started. */
  closing: number;
};

/** Enough for a person, and far below what Temporal keeps of one result. */
const rowsOfClass = 20;
/** Balances that a summary names. */
const namesMax = 20;
/** Sums of all monies are kept with so many decimals. No token has more. */
const decimals = 36;

/**
 * Reconciles a day that is over, and what the day before has left open. Throws a NotOverError while
 * it is not over, and a DifferenceError if the chain has another closing block than the close was
 * started for.
 */
export async function closeDay(parts: CloseParts): Promise<Closed> {
  const { day, timeZone, closing, receipts, ...asked } = parts;
  const span = await spanWhenOver(asked.node, asked.period);
  if (span.closing !== closing) throw otherBlock(parts, span);
  const { opening: earlier } = await spanWhenOver(asked.node, withEarlier(asked.period));
  const tally = createTally(moniesOf(asked.blockchain).listed.map(({ name }) => name));
  const found = reconcile({ ...asked, receipts, span, earlier, balancesFromStart: true });
  let next = await found.next();
  for (; !next.done; next = await found.next()) tally.add(next.value);
  const covered = next.value;
  const { opening, wallets, balances, notLookedAt } = covered;
  const told = tally.told();
  const isBalanced = troublesIn(told.counts) === 0 && balances.every(isExplained);
  return {
    day,
    timeZone,
    blocks: { opening, closing },
    wallets,
    isBalanced,
    summary: summaryOf({ day, timeZone, counts: told.counts, covered, isBalanced }),
    balances: firstOf(balances),
    ...told,
    hasArchive: receipts !== undefined,
    notLookedAt,
  };
}

function otherBlock({ day, closing }: CloseParts, span: BlockSpan): DifferenceError {
  return new DifferenceError(
    `closing: the last block of ${day} is ${span.closing} on this chain, and this close is of ` +
      `block ${closing}. Start the close of that day again.`,
  );
}

/** Anybody can send any number of other tokens. */
function firstOf(balances: readonly MoneyTotal[]): MoneyTotal[] {
  const rank = (total: MoneyTotal): number =>
    total.wallet === undefined ? 0 : isExplained(total) ? 2 : 1;
  return [...balances].sort((one, other) => rank(one) - rank(other)).slice(0, unlistedMax);
}

function isExplained(total: MoneyTotal): boolean {
  return isCompared(total) && total.unexplained === undefined;
}

/** A token that is not listed has no balance where only its contract would tell one. */
function isCompared({ opening, wallet }: MoneyTotal): boolean {
  return opening !== undefined || wallet !== undefined;
}

type Told = Pick<Closed, 'day' | 'timeZone' | 'counts' | 'isBalanced'> & { covered: Covered };

function summaryOf({ day, timeZone, counts, covered, isBalanced }: Told): string {
  const { closing, balances, notLookedAt } = covered;
  const zone = timeZone === 'UTC' ? '' : ` (${timeZone})`;
  const closed = `${day}${zone} is closed at block ${closing}`;
  const words = countsInWords(counts);
  const but = notLookedAt.length === 0 ? '' : ` Not looked at: ${notLookedAt.join(' · ')}.`;
  if (isBalanced) return `${closed}, and everything agrees to the base unit: ${words}.${but}`;
  const off = firstOf(balances)
    .slice(0, namesMax)
    .flatMap(({ token, unexplained }) =>
      unexplained === undefined ? [] : [`${unexplained} ${token} that no movement explains`],
    );
  return `${closed}, and a person has to look: ${[...off, words].join(' · ')}.${but}`;
}

/**
 * Counts rows, sums up those of listed tokens, and keeps the first ones of each class that is not
 * matched.
 */
function createTally(listed: readonly string[]) {
  const counts = { ...noCounts };
  const units = new Map<Class, Map<string, bigint>>();
  const rows: ReconcileRow[] = [];
  return {
    add: (row: ReconcileRow): void => {
      const { class: own, token, amount } = row;
      counts[own] += 1;
      if (own !== 'matched' && counts[own] <= rowsOfClass) rows.push(row);
      // A log of a stranger may move any number of other tokens.
      if (token === undefined || amount === undefined || !listed.includes(token)) return;
      const sums = units.get(own) ?? new Map<string, bigint>();
      // A receipt may tell an amount that is none.
      const sum = (sums.get(token) ?? 0n) + (unitsOfText(amount, decimals) ?? 0n);
      units.set(own, sums.set(token, sum));
    },
    told: (): Pick<Closed, 'counts' | 'sums' | 'rows'> => ({
      counts,
      rows,
      sums: Object.fromEntries(
        [...units].map(([own, sums]) => [
          own,
          Object.fromEntries(
            [...sums].map(([token, sum]) => [token, fromBaseUnits(sum, decimals)]),
          ),
        ]),
      ),
    }),
  };
}
