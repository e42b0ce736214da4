import { z } from 'zod';
import { type Decimals, eitherFault } from '../../orders/exchange/eitherFault';
import type { DayRate } from '../../orders/exchange/exchange';
import { shown } from '../../orders/input/shown';

const dayForm = z.iso.date();
/** A day has begun somewhere on Earth this long before it begins in UTC. */
const firstZoneMs = 14 * 3_600_000;

/** The fault of a day: it is none, or it has begun nowhere yet. */
export function dayFault(text: string, nowMs: number): string | undefined {
  if (!dayForm.safeParse(text).success) return 'is no day. Write it as 2026-01-31.';
  return Date.parse(text) > nowMs + firstZoneMs
    ? 'is in the future, and has no rate yet. Correct it, or take the row out.'
    : undefined;
}

/** The fault of a rate that a spreadsheet or a locale has written, with its right form. */
export function textFault(text: string, decimals: Decimals): string | undefined {
  if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text)) {
    return 'is a number that a program has shortened. Write all its digits, such as "0.000065".';
  }
  if (/^\d+,\d+$/.test(text))
    return `has a comma: write "${text.replace(',', '.')}", if that is meant.`;
  return eitherFault(text, decimals);
}

/** Neighbours differ by this factor at most: a spreadsheet that loses a point makes thousands. */
const leapMax = 2;

/** Faults of rates of one pair, the oldest first, that leap from one day of the file to the next. */
export function leapFaults(rates: readonly DayRate[], placeOf: (day: string) => string): string[] {
  return rates.flatMap(({ rate, day }, at) => {
    const earlier = rates[at - 1];
    if (earlier === undefined) return [];
    const leap = Number(rate) / Number(earlier.rate);
    if (leap <= leapMax && leap >= 1 / leapMax) return [];
    const which = leap > 1 ? 'more than twice' : 'less than half of';
    const other = `${shown(earlier.rate)} of ${earlier.day}, in ${placeOf(earlier.day)}`;
    const way =
      'Correct the wrong one, or take it out. If both are right, leave out the days before.';
    return [`${placeOf(day)}, column rate: ${shown(rate)} is ${which} ${other}. ${way}`];
  });
}
