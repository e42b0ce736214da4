import { createHash } from 'node:crypto';
import { payoutLine, type ReadLine } from './payout';
import { BadOrderError, readOrder } from './read';
import { shown } from './shown';

/** Of hundreds of faults nobody reads more. */
const toldMax = 10;

/**
 * Reads the lines of a payout one by one. Throws a BadOrderError that names each wrong line by its
 * number, counted from `first`, and by its id, and what is wrong with it.
 */
export function readLines(lines: readonly unknown[], first: number): ReadLine[] {
  const faults: string[] = [];
  const read = lines.flatMap((line, index) => {
    try {
      return [readOrder(payoutLine, line)];
    } catch (error) {
      if (!(error instanceof BadOrderError)) throw error;
      faults.push(`${nameOf(line, first + index)}: ${error.message}`);
      return [];
    }
  });
  const ids = read.map(({ lineId }) => lineId);
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  for (const id of twice) {
    faults.push(`lineId: ${shown(id)} has two lines. Give each line an id of its own.`);
  }
  refuse(faults);
  return read;
}

/** Throws a BadOrderError that tells faults, each a sentence; of many, the first. */
export function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length - toldMax;
  const told = [...faults.slice(0, toldMax), ...(more > 0 ? [`And ${more} more.`] : [])];
  throw new BadOrderError(told.join(' '));
}

/** How a sentence names a line. */
export function nameOf(line: unknown, number: number): string {
  const id =
    typeof line === 'object' && line !== null && 'lineId' in line ? line.lineId : undefined;
  return `line ${number}${id === undefined ? '' : ` (${shown(id)})`}`;
}

type Hashed = Record<'lineId' | 'to' | 'amount' | 'token', string>;

/** The same for the same lines in the same order: what two uploads of a part are compared by. */
export function hashOfLines(lines: readonly Hashed[]): string {
  const fields = lines.map(({ lineId, to, amount, token }) => [lineId, to, amount, token]);
  return hashOf(fields);
}

/** What stands for a long list where there is room for few words. */
export function hashOf(list: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 32);
}
