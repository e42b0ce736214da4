import { isSigned } from '../../client/asking/linesToSign';
import type { FileReading } from '../../client/lines/columns';
import { isOfLines, openLines } from '../../client/lines/linesFile';
import { survey, surveyedLines } from '../../client/lines/survey';
import { readOrderOf } from '../../orders/kinds';
import type { ReadLine } from '../../orders/payout';
import type { TreeLine } from '../../writer/signing/lineTree';
import type { SignedLines } from '../../writer/signing/signedLines';
import { InputError } from '../exit';
import { readOrderFile } from '../order/orderFile';

/** So many lines are shown. Who wants to see all of them compares with a copy of the file. */
const shownMax = 20;

/** A file of somebody's own, and how its columns are read. */
export type Copy = { path: string; reading: FileReading };

/** Compares the lines of a payout with a person's own copy. */
export async function compareLines(
  copy: Copy,
  lines: readonly TreeLine[],
  signed: SignedLines,
): Promise<void> {
  const { path } = copy;
  const own = await readLinesToSign(copy);
  if (isSigned(own, signed)) return;
  const known = new Map(own.map((line) => [line.lineId, tellLine(line)]));
  const faults = lines.flatMap((line) => {
    const before = known.get(line.lineId);
    known.delete(line.lineId);
    if (before === tellLine(line)) return [];
    return `${line.lineId} was ${before ?? 'not there'}, is ${tellLine(line)}`;
  });
  faults.push(...[...known].map(([lineId, before]) => `${lineId} was ${before}, is not there`));
  const told = faults.slice(0, shownMax).join('; ') || 'its lines have another order';
  throw new InputError(`--file: ${path} is not what is to be signed: ${told}.`);
}

/** The lines in a file of lines, or in an order that holds them. */
export async function readLinesToSign({ path, reading }: Copy): Promise<ReadLine[]> {
  if (!isOfLines(path)) {
    const order = readOrderOf('payout', readOrderFile(path));
    return 'payoutId' in order ? (order.lines ?? []) : [];
  }
  const file = openLines(path, reading);
  const lines: ReadLine[] = [];
  for await (const line of surveyedLines(file, await survey(file))) lines.push(line);
  return lines;
}

/** The first lines of a payout, each a row. */
export function tellFirstLines(lines: readonly TreeLine[]): string[] {
  const more = lines.length - shownMax;
  const rows = lines.slice(0, shownMax).map((line) => `  ${line.lineId}: ${tellLine(line)}`);
  return more > 0 ? [...rows, `  and ${more} more; --file compares all of them`] : rows;
}

function tellLine({ to, amount, token }: TreeLine): string {
  return `${amount} ${token} to ${to}`;
}
