import { periodsMax, type SignedPeriods } from '../../authority/statement';
import { beginOf } from '../../orders/schedule/period';

/** Months and days that clocks change differ by less than a tenth. */
const leastShare = 0.9;

/**
 * True if coming periods are denser, or more, than the periods that were signed before. Temporal
 * computes the times of a schedule, so they may be others than its creator wanted. Any periods in a
 * row must last as long as the shortest such row of those before. A schedule that was signed to its
 * end is signed for no more periods than it had.
 */
export function isDenser(before: SignedPeriods, names: readonly string[]): boolean {
  if (before.names.length < periodsMax && names.length > before.names.length) return true;
  const signed = beginsOf(before, before.names);
  const all = beginsOf(before, [...before.names, ...names]);
  // Longer rows are too few to tell the shortest one.
  const steps = Array.from({ length: Math.floor(signed.length / 2) }, (_, at) => at + 1);
  return steps.some((step) => shortest(all, step) < leastShare * shortest(signed, step));
}

/** The moments at which periods begin, each once and in order. */
function beginsOf({ template, timeZone }: SignedPeriods, names: readonly string[]): number[] {
  const begins = names.flatMap((name) => beginOf(template, name, timeZone) ?? []);
  return [...new Set(begins)].sort((one, other) => one - other);
}

/** The shortest time from one period to the one that comes so many steps after it. */
function shortest(begins: readonly number[], steps: number): number {
  const spans = begins.slice(steps).map((end, at) => end - (begins[at] ?? end));
  return Math.min(...spans, Number.POSITIVE_INFINITY);
}
