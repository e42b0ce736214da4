import type { PayoutPart, PayoutSeal } from '../../src/orders/payout';
import { type LineTarget, readLineTarget } from '../../src/orders/payout/lineTarget';
import { partLinesMax } from '../../src/orders/payout/tally';

/*
 * What is wrong with the form of what somebody asks, so that it is refused at once. What it says is
 * read by activities.
 */

/** Throws where it is none. */
export function refuseNoPart(request: unknown): void {
  const { part, lines }: Partial<Record<keyof PayoutPart, unknown>> = fieldsOf(request);
  if (!Number.isInteger(part) || Number(part) < 1) {
    throw new Error('part: must be the number of the part, counted from 1.');
  }
  if (!Array.isArray(lines) || lines.length < 1 || lines.length > partLinesMax) {
    throw new Error(`lines: must be a list of 1 to ${partLinesMax} lines.`);
  }
}

/** Throws where it is none. */
export function refuseNoSeal(request: unknown): void {
  const { parts: count, totals }: Partial<Record<keyof PayoutSeal, unknown>> = fieldsOf(request);
  if (!Number.isInteger(count) || Number(count) < 1) {
    throw new Error('parts: must be the number of parts that were handed over.');
  }
  const sums: unknown[] = Object.values(fieldsOf(totals));
  const isDecimal = (sum: unknown) =>
    typeof sum === 'string' && /^\d{1,90}(\.\d{1,36})?$/.test(sum);
  if (sums.length === 0 || !sums.every(isDecimal)) {
    throw new Error('totals: must be what the lines of each token come to: {"USDC": "12.50"}.');
  }
}

/** Throws where it is none. */
export function refuseNoRate(request: unknown): void {
  const { linesPerS }: { linesPerS?: unknown } = fieldsOf(request);
  const isRate = typeof linesPerS === 'number' && linesPerS >= 0.01 && linesPerS <= 10_000;
  if (linesPerS === null || isRate) return;
  throw new Error('linesPerS: must be a number from 0.01 to 10000, or null for no limit.');
}

/** Throws where it is none. */
export function refuseNoIds(lineIds: unknown): void {
  const isId = (id: unknown) => typeof id === 'string';
  if (Array.isArray(lineIds) && lineIds.length > 0 && lineIds.every(isId)) return;
  throw new Error('lineIds: must be a list of the ids of lines.');
}

/** Reads the names of attempts. Throws if one is none. */
export function readTargets(targets: unknown): LineTarget[] {
  const read = Array.isArray(targets) ? targets.map(readLineTarget) : [];
  const known = read.filter((target) => target !== undefined);
  if (known.length > 0 && known.length === read.length) return known;
  throw new Error(
    'targets: must be a list of failed attempts, each "line/<lineId>#<generation>". Read the ' +
      'generation of a line in its result.',
  );
}

function fieldsOf(request: unknown): object {
  return typeof request === 'object' && request !== null ? request : {};
}
