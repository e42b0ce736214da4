import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { CheckedPayment } from '../../checks/payment';
import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';
import { type ExchangeSum, exchangeSums } from '../../orders/exchange/sums';
import { InputError } from '../../orders/input/inputError';
import { shown } from '../../orders/input/shown';
import type { ReadLine } from '../../orders/payout';
import { idFrom } from '../../orders/payout/idFrom';
import { payoutLinesMax } from '../../orders/payout/readLines';
import { finest } from '../../orders/payout/tally';
import { decimalMark } from './amount/readAmount';
import { columnsOf } from './columns';
import type { LinesFile } from './linesFile';
import { readRow } from './readRow';
import type { FileRow } from './row';

/** The number of faults that are shown. */
const toldMax = 20;
/** Rows that are read before others of the process have their turn. */
const rowsPerTurn = 1_000;
/** The most rows that are read, and the words for one more. */
const ofPayout = {
  rows: payoutLinesMax,
  words: `a payout has at most ${payoutLinesMax} lines. Make it several.`,
};

/** The totals of a file of lines, before it is handed over. */
export type Survey = {
  lines: number;
  /** By token, in the order of the file. */
  totals: { token: string; lines: number; amount: string }[];
  /** The payments of the lines, in the order of the file. */
  payments: CheckedPayment[];
  /** The sums of the lines that were exchanged, by their rates. */
  exchanges: ExchangeSum[];
  /** The same for the same lines in the same order. */
  digest: string;
  /** The same for the same lines in any order, at whatever rates. */
  contents: string;
};

/**
 * Checks a whole file of lines. Throws one InputError that lists its first faults by row, or all of
 * them. The marks in its amounts say together how the whole file writes them. Where "1.500" may be
 * fifteen hundred by them, its rows are judged again.
 */
export async function survey(
  file: LinesFile,
  { isAllTold = false, way = ' See them all with --all-faults.', most = ofPayout } = {},
): Promise<Survey> {
  const faults = tally(isAllTold ? Number.POSITIVE_INFINITY : toldMax, way);
  const counting = counter();
  const rowOfId = new Map<unknown, number>();
  const marks = new Set<string | undefined>();
  let rows = 0;
  for await (const read of file.rows()) {
    const { row } = read;
    rows += 1;
    if (rows > most.rows) {
      faults.add(`row ${row ?? rows}: ${most.words}`);
      break;
    }
    if (rows % rowsPerTurn === 0) await turn();
    const result = readRow(read, file);
    if (file.decimals === 'unknown') marks.add(markOf(read, file));
    const { line, lineId, idColumn } = result;
    for (const fault of result.faults) faults.add(fault);
    if (row === undefined) continue;
    const other = lineId === undefined ? undefined : rowOfId.get(lineId);
    if (other !== undefined) {
      const fault = `${shown(lineId)} is the id of row ${other}. Give each line an id of its own.`;
      faults.add(`row ${row}, column ${idColumn}: ${fault}`);
    } else rowOfId.set(lineId, row);
    if (line !== undefined) counting.add(line);
  }
  if (marks.has('either') && (marks.has('comma') || !marks.has('point'))) {
    return survey({ ...file, decimals: 'comma' }, { isAllTold, way, most });
  }
  if (faults.count() > 0) throw new InputError(refusal(file.path, faults));
  if (counting.lines() === 0) throw new InputError(`FILE: ${file.path} holds no lines.`);
  return counting.result();
}

/** The mark that the amount of a row shows. */
function markOf(read: FileRow, { reading }: LinesFile): ReturnType<typeof decimalMark> {
  if ('fault' in read) return undefined;
  const column = columnsOf(Object.keys(read.values), reading).of('amount') ?? '';
  const amount = read.values[column];
  return typeof amount === 'string' ? decimalMark(amount) : undefined;
}

/** The totals of lines that have been read. */
export function surveyOf(lines: readonly ReadLine[]): Survey {
  const counting = counter();
  for (const line of lines) counting.add(line);
  return counting.result();
}

/** Reads the lines again. Throws an InputError at the end if the file has changed since. */
export async function* surveyedLines(
  file: LinesFile,
  surveyed: Survey,
): AsyncGenerator<ReadLine, void> {
  const hash = createHash('sha256');
  for await (const read of file.rows()) {
    const { line } = readRow(read, file);
    if (line === undefined) throw new InputError(changed(file.path));
    hash.update(inOneForm(line));
    yield line;
  }
  if (hash.digest('hex') !== surveyed.digest) throw new InputError(changed(file.path));
}

function changed(path: string): string {
  return `FILE: ${path} was changed while it was read, so its lines were not sealed.`;
}

function counter() {
  let lines = 0;
  const sums = new Map<string, { lines: number; units: bigint }>();
  const payments: CheckedPayment[] = [];
  const exchanges = exchangeSums();
  const hash = createHash('sha256');
  let contents = 0n;
  return {
    lines: () => lines,
    add: (line: ReadLine): void => {
      const { lineId, to, amount, token, name, exchange, source } = line;
      lines += 1;
      payments.push({ lineId, to: to.toLowerCase(), amount, token, name, exchange, source });
      const sum = sums.get(token) ?? { lines: 0, units: 0n };
      const units = sum.units + toBaseUnits(amount, finest);
      sums.set(token, { lines: sum.lines + 1, units });
      exchanges.add(line);
      hash.update(inOneForm(line));
      contents = (contents + numberOf(line)) % numbers;
    },
    result: (): Survey => ({
      lines,
      totals: [...sums].map(([token, sum]) => ({
        token,
        lines: sum.lines,
        amount: fromBaseUnits(sum.units, finest),
      })),
      payments,
      exchanges: exchanges.all(),
      digest: hash.digest('hex'),
      contents: `${lines} ${contents.toString(16)}`,
    }),
  };
}

/** The numbers of lines are added up below this one. */
const numbers = 1n << 256n;

/**
 * A number that stands for a line. A payee's name in other words makes no other payout. A
 * line in a currency is the same payment at every rate.
 */
function numberOf({ lineId, to, amount, token, reference = '', exchange }: ReadLine): bigint {
  const asked = exchange === undefined ? amount : `${exchange.amount} ${exchange.currency}`;
  const form = `${lineId} ${to} ${asked} ${token} ${reference}\n`;
  return BigInt(`0x${createHash('sha256').update(form).digest('hex')}`);
}

function inOneForm({ lineId, to, amount, token, ...beside }: ReadLine): string {
  return `${lineId} ${to} ${amount} ${token} ${JSON.stringify(beside)}\n`;
}

/** Counts sentences, and keeps the first of them. */
function tally(max: number, way = '') {
  const first: string[] = [];
  let count = 0;
  return {
    add: (sentence: string): void => {
      count += 1;
      if (first.length < max) first.push(sentence);
    },
    count: () => count,
    told: () => (count > max ? [...first, `And ${count - max} more.${way}`] : first),
  };
}

function refusal(path: string, faults: ReturnType<typeof tally>): string {
  const count = faults.count();
  const lead = `FILE: ${path} has ${count === 1 ? 'a fault' : `${count} faults`}:`;
  const told = faults.told();
  return [lead, ...told].join('\n  ');
}

/**
 * The id of a payout that was given none. It follows from its lines and wallets, whatever their
 * order. So the same command on a terminal goes on with the same payout.
 */
export function payoutIdFor(wallets: readonly string[], { contents }: Survey): string {
  return idFrom([[...wallets].sort(), contents]);
}
