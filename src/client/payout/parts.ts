import { jsonBytesOf, orderBytesMax } from '../../orders/input/read';
import type { PayoutLine, PayoutPart, ReadLine } from '../../orders/payout';
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
  const read = function* (): Generator<PayoutPart> {
    for (const cut of cutByBytes(readLines(own, first), part)) {
      yield cut;
      part = cut.part + 1;
    }
  };
  for await (const line of lines) {
    own.push(line);
    if (own.length < partLinesMax) continue;
    yield* read();
    first += own.length;
    own = [];
  }
  yield* read();
  return undefined;
}

/** Cuts lines that are too long for one part. Lines that one part has room for stay together. */
function* cutByBytes(lines: readonly ReadLine[], first: number): Generator<PayoutPart> {
  const emptied = (part: number): { part: number; lines: ReadLine[] } => ({ part, lines: [] });
  let own = emptied(first);
  let bytes = jsonBytesOf(own);
  for (const line of lines) {
    // A comma stands between two lines.
    const more = jsonBytesOf(line) + (own.lines.length > 0 ? 1 : 0);
    if (own.lines.length > 0 && bytes + more > orderBytesMax) {
      yield own;
      own = emptied(own.part + 1);
      bytes = jsonBytesOf(own);
    }
    own.lines.push(line);
    bytes += more;
  }
  if (own.lines.length > 0) yield own;
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
