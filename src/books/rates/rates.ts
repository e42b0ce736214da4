import { coinOf } from '../../checks/coinOf';
import type { DayRate } from '../../orders/exchange/exchange';

/** A currency, and the token that is bought with it. */
export type Pair = { currency: string; token: string };

/** The rates of a file. */
export type RatesFile = {
  path: string;
  /** A rate counts for so many days after its own. */
  daysMax: number;
  currencies: readonly string[];
  /** The tokens that a currency has rates in, as the file names them. */
  tokensOf(currency: string): readonly string[];
  /** All rates of a pair, the oldest first. */
  ratesOf(pair: Pair): readonly DayRate[];
};

/** One key for a pair, whatever face of its coin a token is. */
export function pairKey({ currency, token }: Pair): string {
  return `${currency} ${coinOf(token).toLowerCase()}`;
}

/** The rate that counts on a day, or the fault of the file, with the way out. */
type Found = { rate: DayRate } | { fault: string };

const dayMs = 86_400_000;

/**
 * Finds the rate that counts on a day: the newest one that is not later, if it is not too old. No
 * rate is ever made up, turned round or borrowed from another pair.
 */
export function findRate({ path, daysMax, ratesOf }: RatesFile, pair: Pair, day: string): Found {
  const all = ratesOf(pair);
  const name = `${pair.currency} in ${pair.token}`;
  const way = `Add a row such as ${day},${pair.currency},${pair.token},<rate>.`;
  const newest = all.findLast((one) => one.day <= day);
  if (newest !== undefined) {
    const age = (Date.parse(day) - Date.parse(newest.day)) / dayMs;
    if (age <= daysMax) return { rate: newest };
    const old = `is of ${newest.day}, ${age} days before ${day}, and counts for ${daysMax}.`;
    return { fault: `the newest rate of ${name} in ${path} ${old} ${way}` };
  }
  const [first] = all;
  if (first === undefined) return { fault: `${path} has no rate of ${name}. ${way}` };
  return { fault: `the first rate of ${name} in ${path} is of ${first.day}, after ${day}. ${way}` };
}
