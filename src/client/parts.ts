import type { PayoutLine, PayoutPart, ReadLine } from '../orders/payout';
import { readLines } from '../orders/payout/readLines';
import { partLinesMax } from '../orders/payout/tally';
import { walletOfLine } from '../orders/payout/walletOfLine';

export type Lines = Iterable<PayoutLine> | AsyncIterable<PayoutLine>;

/**
 * Lines of a payer that stay together: a batch of the usual size. The order's own size does not
 * matter, so that a payout which starts again with another one has the same parts.
 */
const groupLines = 100;

/** Parts that are handed over at a time. Each one is mostly a wait for others. */
const partsAtOnce = 4;

/**
 * Lines by the part, read and checked, as they come. With a number of payers, lines of one payer
 * and token come together. A part has few payers then, and each of them a whole batch.
 */
export async function* partsOf(
  lines: Lines,
  payers: number | undefined,
): AsyncGenerator<PayoutPart, undefined> {
  const pages = pagesOf(lines);
  let part = 1;
  let own: ReadLine[] = [];
  const cut = (): PayoutPart => {
    const next = { part, lines: own };
    part += 1;
    own = [];
    return next;
  };
  for await (const group of payers === undefined ? pages : groupsOf(pages, payers)) {
    if (own.length + group.length > partLinesMax) yield cut();
    own = [...own, ...group];
    // At once, since whoever gives the lines may give the next ones much later.
    if (own.length === partLinesMax) yield cut();
  }
  if (own.length > 0) yield cut();
  return undefined;
}

/** Lines that are read at a time, so that each fault names its line by its number. */
async function* pagesOf(lines: Lines): AsyncGenerator<ReadLine[]> {
  let page: PayoutLine[] = [];
  let first = 1;
  for await (const line of lines) {
    page.push(line);
    if (page.length < partLinesMax) continue;
    yield readLines(page, first);
    first += page.length;
    page = [];
  }
  if (page.length > 0) yield readLines(page, first);
}

/** Lines of one payer and token, in their order: whole groups first, and then what is left. */
async function* groupsOf(
  pages: AsyncIterable<ReadLine[]>,
  payers: number,
): AsyncGenerator<ReadLine[]> {
  const open = new Map<string, ReadLine[]>();
  for await (const page of pages) {
    for (const line of page) {
      const payer = `${walletOfLine(line.lineId, payers)} ${line.token}`;
      const group = [...(open.get(payer) ?? []), line];
      open.set(payer, group);
      if (group.length < groupLines) continue;
      open.delete(payer);
      yield group;
    }
  }
  yield* open.values();
}

/**
 * Hands parts over, a few at a time and in any order. Stops when a part is not wanted any more, and
 * returns false. A fault stops it as well, and is thrown once no part is on its way.
 */
export async function handOver(
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
