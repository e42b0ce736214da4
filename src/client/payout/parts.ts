import type { PayoutLine, PayoutPart } from '../../orders/payout';
import { readLines } from '../../orders/payout/readLines';
import { partLinesMax } from '../../orders/payout/tally';

/** The lines of a payout: a list, or what a generator yields, so that many need no memory. */
export type Lines = Iterable<PayoutLine> | AsyncIterable<PayoutLine>;

/** Parts that are handed over at a time. Each one is mostly a wait for others. */
const partsAtOnce = 4;

/** Lines by the part, read and checked, as they come. Each fault names its line by its number. */
export async function* readParts(lines: Lines): AsyncGenerator<PayoutPart, undefined> {
  let part = 1;
  let own: PayoutLine[] = [];
  let first = 1;
  for await (const line of lines) {
    own.push(line);
    if (own.length < partLinesMax) continue;
    yield { part, lines: readLines(own, first) };
    part += 1;
    first += own.length;
    own = [];
  }
  if (own.length > 0) yield { part, lines: readLines(own, first) };
  return undefined;
}

/**
 * Hands parts over, a few at a time and in any order. Stops when a part is not wanted any more, and
 * returns false. A fault stops it as well, and is thrown once no part is on its way.
 */
export async function handOverParts(
  parts: AsyncIterator<PayoutPart>,
  take: (part: PayoutPart) => Promise<boolean>,
): Promise<boolean> {
  const faults: unknown[] = [];
  let isWanted = true;
  const goOn = async (): Promise<void> => {
    while (isWanted && faults.length === 0) {
      const next = await parts.next();
      if (next.done) return;
      if (faults.length === 0 && !(await take(next.value))) isWanted = false;
    }
  };
  const lanes = Array.from({ length: partsAtOnce }, () =>
    goOn().catch((fault: unknown) => faults.push(fault)),
  );
  await Promise.all(lanes);
  if (faults.length > 0) throw faults[0];
  return isWanted;
}
