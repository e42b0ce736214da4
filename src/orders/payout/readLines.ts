import { createHash } from 'node:crypto';
import { BadOrderError, readOrder } from '../input/read';
import { shown } from '../input/shown';
import { payoutLine, type ReadLine } from '../payout';
import type { LineBeside } from './lineBeside';

/** The largest number of lines of a payout. */
export const payoutLinesMax = 1_000_000;

/** Number of faults that a message tells. */
const toldMax = 10;

/**
 * Reads the lines of a payout one by one. Throws a BadOrderError that names each wrong line by its
 * id and its number, counted from `first`, with its fault.
 */
export function readLines(lines: readonly unknown[], first: number): ReadLine[] {
  const faults: string[] = [];
  const read = lines.flatMap((line, index) => {
    try {
      return [readOrder(payoutLine, line)];
    } catch (error) {
      if (!(error instanceof BadOrderError)) throw error;
      faults.push(`${lineName(line, first + index)}: ${error.message}`);
      return [];
    }
  });
  const ids = read.map(({ lineId }) => lineId);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  for (const id of twice) {
    faults.push(`lineId: ${shown(id)} has two lines. Give each line an id of its own.`);
  }
  refuseLines(faults);
  return read;
}

/** Throws a BadOrderError with the first faults, each a sentence. */
export function refuseLines(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length - toldMax;
  const told = [...faults.slice(0, toldMax), ...(more > 0 ? [`And ${more} more.`] : [])];
  throw new BadOrderError(told.join(' '));
}

/** The name of a line in a sentence. */
export function lineName(line: unknown, number: number): string {
  const id =
    typeof line === 'object' && line !== null && 'lineId' in line ? line.lineId : undefined;
  return `line ${number}${id === undefined ? '' : ` (${shown(id)})`}`;
}

type Hashed = Record<'lineId' | 'to' | 'amount' | 'token', string>;

/** Equal for equal lines in the same order. Two uploads of a part are compared by it. */
export function hashOfLines(lines: readonly Hashed[]): string {
  const fields = lines.map(({ lineId, to, amount, token }) => [lineId, to, amount, token]);
  return hashOf(fields);
}

/** Equal for lines that have the same beside their payments, such as their names. */
export function hashOfBeside(lines: readonly LineBeside[]): string {
  const fields = lines.map((line) => [line.reference, line.name, line.source, line.exchange]);
  return hashOf(fields);
}

/** A short text for a long list. */
export function hashOf(list: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 32);
}
