import { toBaseUnits } from '../../custody/amount';
import { token } from '../../orders/fields';
import { payoutOrder, type ReadLine, type ReadPayout } from '../../orders/payout';
import { readOrder } from '../../orders/read';
import { shown } from '../../orders/shown';
import { listOf, payout, payoutIdOf } from '../commands/payout';
import { InputError } from '../exit';
import type { Fields, Flags } from '../orderCommand';
import { idOf, orderOf } from '../takeOrder';
import { readDurationMs } from '../tellTime';
import { createVoice, type Voice } from '../voice';
import { isOfLines, type LinesFile, openLines } from './linesFile';
import { decimals, type Survey, survey, surveyedLines, surveyOf } from './survey';

/** A payout that has been checked as far as that is possible here. */
export type TakenPayout = {
  id: string;
  order: ReadPayout;
  surveyed: Survey;
  /** The lines of the file, from the first; undefined where they are in the order. */
  lines: (() => AsyncIterable<ReadLine>) | undefined;
  /** Only what it comes to is wanted. */
  isDry: boolean;
  /** Nobody wants to be asked. */
  isAgreed: boolean;
  isAwaited: boolean;
  timeoutMs: number | undefined;
  voice: Voice;
};

/** Reads a payout from flags and files, every line of it, before anything is connected to. */
export async function takePayout(path: string | undefined, given: Flags): Promise<TakenPayout> {
  const { flags, linesPath } = filesOf(path, given);
  const voice = createVoice(flags.json === true);
  const timeoutMs =
    flags.timeout === undefined ? undefined : readDurationMs('--timeout', String(flags.timeout));
  const { dryRun = flags.dryRun, ...fields } = orderOf(payout, flags);
  const payoutId = fields.payoutId ?? payoutIdOf(idOf(payout, flags, voice));
  const read = await readPayout({ ...fields, payoutId }, { linesPath, flags });
  return {
    ...{ id: `payout:${read.order.payoutId}`, ...read, timeoutMs, voice },
    isDry: dryRun === true,
    isAgreed: flags.yes === true,
    isAwaited: flags.wait !== false,
  };
}

/** Reads the order of a payout, and every line of its file, if it has one. */
export async function readPayout(
  fields: Fields,
  { linesPath, flags }: { linesPath: string | undefined; flags: Flags },
): Promise<Pick<TakenPayout, 'order' | 'surveyed' | 'lines'>> {
  const order = readOrder(payoutOrder, fields);
  const file = linesPath === undefined ? undefined : openLines(linesPath, readingOf(flags));
  const surveyed = await lookedThrough(order, file);
  refuse(order, surveyed);
  return { order, surveyed, lines: file && (() => surveyedLines(file, surveyed)) };
}

/** A file of lines alone may be given as --file, too: an order it cannot be. */
function filesOf(
  path: string | undefined,
  { file, ...flags }: Flags,
): { flags: Flags; linesPath: string | undefined } {
  if (file === undefined || !isOfLines(String(file))) {
    return { flags: { ...flags, ...(file === undefined ? {} : { file }) }, linesPath: path };
  }
  if (path === undefined) return { flags, linesPath: String(file) };
  throw new InputError(`--file: ${file} holds lines, as does ${path}. Give one of them.`);
}

function readingOf(flags: Flags): { token: string | undefined; ignored: ReadonlySet<string> } {
  const ignored = new Set(listOf(flags.ignore));
  if (flags.token === undefined) return { token: undefined, ignored };
  const read = token.safeParse(flags.token);
  if (read.success) return { token: read.data, ignored };
  throw new InputError(`--token: ${shown(flags.token)} ${read.error.issues[0]?.message}.`);
}

function lookedThrough(order: ReadPayout, file: LinesFile | undefined): Promise<Survey> | Survey {
  if (file === undefined && order.lines !== undefined) return surveyOf(order.lines);
  if (file !== undefined && order.lines === undefined) return survey(file);
  throw new InputError(
    file === undefined
      ? 'FILE: is missing. Give the lines as .csv, .jsonl or .json.'
      : `FILE: the order in --file has lines, as has ${file.path}. Give one of them.`,
  );
}

/** What is sure to be refused when it is sealed costs nothing to refuse now. */
function refuse(order: ReadPayout, { totals, alike }: Survey): void {
  for (const { token: name, amount } of totals) {
    const most = Object.entries(order.maxTotal ?? {}).find(([token]) => token === name)?.[1];
    if (most !== undefined && toBaseUnits(amount, decimals) > toBaseUnits(most, decimals)) {
      throw new InputError(`maxTotal: the lines come to ${amount} ${name}, which is over ${most}.`);
    }
  }
  if (order.strict !== true || alike.length === 0) return;
  throw new InputError(
    ['strict: lines are alike but for their ids:', ...alike].join('\n  ') +
      '\n  Mend the file, or leave --strict out if all of them are meant.',
  );
}
