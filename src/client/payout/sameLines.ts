import { BadOrderError } from '../../orders/input/read';
import type { PayoutPart, PayoutReceipt } from '../../orders/payout';
import { type ComparedLine, comparison, wayOn } from '../../orders/payout/otherLines';
import type { PartTold } from '../../orders/payout/partTold';
import { hashOf, hashOfLines, readLines } from '../../orders/payout/readLines';
import { sumByToken, sumOfSums } from '../../orders/payout/tally';

type Known = Pick<PartTold, 'part' | 'shardId' | 'lines' | 'hash' | 'totals'>;

type Standing = {
  id: string;
  /** The parts that the payout was sealed with, in their order. */
  known: readonly Known[];
  read: (shardId: string) => Promise<readonly ComparedLine[]>;
};

/** The parts of a payout that has ended. */
export function sealedIn({ parts }: PayoutReceipt): Known[] {
  return parts.map(({ ordered: totals, ...part }) => ({ ...part, totals }));
}

/**
 * Hands on parts while they are those of the payout. Once one is not, it reads all others too, and
 * throws a BadOrderError that names what differs. Parts with the same hash are the same. Only the
 * others are read.
 */
export async function* refusingOthers(
  parts: AsyncIterable<PayoutPart>,
  standing: Standing,
): AsyncGenerator<PayoutPart, undefined> {
  const { id, known } = standing;
  const others = comparing(standing);
  let at = 0;
  let isSame = true;
  for await (const part of parts) {
    const lines = readLines(part.lines, 1);
    const hash = hashOfLines(lines);
    isSame &&= known[at]?.hash === hash;
    await others.add(known[at], { lines, hash });
    at += 1;
    if (isSame) yield part;
  }
  for (const missing of known.slice(at)) await others.add(missing, { lines: [], hash: '' });
  const faults = await others.faults();
  if (faults === undefined) return undefined;
  throw new BadOrderError(`id: ${id} was handed over before, with other lines${faults}`);
}

/** A part as it is handed over now. */
type Part = { lines: readonly ComparedLine[]; hash: string };

/** Compares parts one after another: by their lines, or by counts and sums where those are lost. */
function comparing({ known, read }: Standing) {
  const compared = comparison();
  const now: Sums = { hashes: [], lines: 0, totals: {} };
  let isLost = false;
  let isEqual = true;
  return {
    add: async (before: Known | undefined, { lines, hash }: Part): Promise<void> => {
      if (lines.length > 0) now.hashes.push(hash);
      now.lines += lines.length;
      now.totals = sumOfSums([now.totals, sumByToken(lines)]);
      if (before?.hash === hash) {
        // Both are the same, so that their places are all that counts.
        compared.add(lines, lines);
        return;
      }
      isEqual = false;
      const were = before === undefined ? [] : await read(before.shardId).catch(() => undefined);
      isLost ||= were === undefined;
      compared.add(were ?? [], lines);
    },
    faults: (): string | undefined => {
      if (isEqual) return undefined;
      if (isLost) return `. ${sumsOf(known, now)} ${wayOn({ hasNew: false })}`;
      const { faults, hasNew } = compared.differences();
      // Lines may be the same in parts of other sizes.
      if (faults.length === 0) return undefined;
      return `: ${faults.join('; ')}. ${wayOn({ hasNew })}`;
    },
  };
}

type Sums = { hashes: string[]; lines: number; totals: Record<string, string> };

/** The differences that the root, the number and the sums of the lines show. */
function sumsOf(known: readonly Known[], now: Sums): string {
  const totals = sumOfSums(known.map((part) => part.totals));
  const lines = known.reduce((sum, part) => sum + part.lines, 0);
  const tokens = [...new Set([...Object.keys(totals), ...Object.keys(now.totals)])];
  const faults = [
    ...(lines === now.lines ? [] : [`there were ${lines} lines, and are ${now.lines}`]),
    ...tokens
      .filter((token) => totals[token] !== now.totals[token])
      .map((token) => `the sum was ${totals[token] ?? 0} ${token}, is ${now.totals[token] ?? 0}`),
    ...(hashOf(known.map(({ hash }) => hash)) === hashOf(now.hashes) ? [] : ['the root differs']),
  ];
  return (
    'Temporal has forgotten the earlier lines, so that their root, number and sums were ' +
    `compared: ${faults.join('; ')}.`
  );
}
