import { converter } from '../../books/rates/convert';
import type { Checked } from '../../checks/check';
import { coinOf } from '../../checks/coinOf';
import { addressesIn } from '../../checks/payment';
import { type Field, type FileReading, mapOf } from '../../client/lines/columns';
import { isOfLines, type LinesFile, openLines } from '../../client/lines/linesFile';
import {
  payoutIdFor,
  type Survey,
  survey,
  surveyedLines,
  surveyOf,
} from '../../client/lines/survey';
import { fromBaseUnits, toBaseUnits } from '../../custody/objects/amount';
import { isCurrency } from '../../orders/exchange/exchange';
import { token } from '../../orders/input/fields';
import { payoutIdOf, refuseWholePayoutId, workflowIdOf } from '../../orders/input/orderId';
import { readOrder } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { payoutOrder, type ReadLine, type ReadPayout } from '../../orders/payout';
import { finest } from '../../orders/payout/tally';
import type { NameOf } from '../../writer/file/namesOf';
import type { Call } from '../call';
import { bookIn, checkOrder, refuseFindings } from '../check/checkOrder';
import { namesIn } from '../check/names';
import { payCommand } from '../commands/payout';
import { InputError, messageOf } from '../exit';
import { type Awaiting, awaitingIn, type Flags, listOf } from '../flags';
import type { Fields } from '../order/fields';
import { byFlags, mergeFields, refuseUnwatched, tellId } from '../order/takeOrder';
import { ratesIn } from '../rates/ratesFlags';

/** A payout checked as far as possible without the service. */
export type TakenPayout = Awaiting & {
  id: string;
  /** True if the id follows from the lines and the wallets. */
  isNamedByLines: boolean;
  order: ReadPayout;
  surveyed: Survey;
  checked: Checked;
  /** The names that this machine knows. */
  nameOf: NameOf;
  /** The lines of the file, or undefined if the order has them. */
  lines: (() => AsyncIterable<ReadLine>) | undefined;
  /** True with --dry-run. */
  isDry: boolean;
  /** True with --yes. */
  isAgreed: boolean;
};

/** Reads and checks a payout from flags and files, before it connects to anything. */
export async function takePayout(path: string | undefined, call: Call): Promise<TakenPayout> {
  const { flags, linesPath } = filesOf(path, call.flags);
  const awaiting = awaitingIn(flags);
  const { dryRun = flags.dryRun, ...fields } = mergeFields(payCommand, flags);
  const { STEADFAST_KEY_SCOPE: keyScope = '' } = call.terminal.env;
  const given = flags.id === undefined ? fields.payoutId : payoutIdOf(String(flags.id), keyScope);
  const isNamedByLines = given === undefined;
  if (isNamedByLines) refuseUnwatched(payCommand, call);
  const payoutId = given ?? unnamed;
  const read = await readPayout({ ...fields, payoutId }, { linesPath, flags });
  const { order, surveyed } = read;
  if (isNamedByLines) order.payoutId = payoutIdFor(order.wallets, surveyed);
  byFlags(payCommand, flags, () => refuseWholePayoutId(order.payoutId, keyScope));
  const id = `payout:${order.payoutId}`;
  const book = bookIn(call.terminal.env);
  const orderId = workflowIdOf(id, keyScope);
  const wallets = addressesIn(order.wallets);
  const asked = { orderId, payments: surveyed.payments, wallets };
  const checked = await checkOrder(asked, book, call);
  if (order.strict === true) {
    refuseFindings(checked, call.flags.strict === undefined ? 'strict' : '--strict');
  }
  if (isNamedByLines) tellId(id, call);
  return {
    id,
    isNamedByLines,
    ...read,
    checked,
    nameOf: namesIn(call, book),
    ...awaiting,
    isDry: dryRun === true,
    isAgreed: flags.yes === true,
  };
}

/** Stands for the id of a payout until its lines are read. */
const unnamed = 'unnamed';

/** Reads the order of a payout and every line of its file. */
export async function readPayout(
  fields: Fields,
  { linesPath, flags }: { linesPath: string | undefined; flags: Flags },
): Promise<Pick<TakenPayout, 'order' | 'surveyed' | 'lines'>> {
  const order = byFlags(payCommand, flags, () => readOrder(payoutOrder, fields));
  const file = linesPath === undefined ? undefined : openLines(linesPath, readingOf(flags));
  const surveyed = await lookedThrough(order, file, flags);
  refuse(order, surveyed, flags);
  return { order, surveyed, lines: file && (() => surveyedLines(file, surveyed)) };
}

/** A file of lines alone may be given with --file too. */
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

/** The reading of a file's columns that somebody's flags ask for. */
export function readingOf(flags: Flags): FileReading {
  const ignored = listOf(flags.ignore) ?? [];
  const read = flags.token === undefined ? undefined : token.safeParse(flags.token);
  if (read?.success === false) {
    throw new InputError(`--token: ${shown(flags.token)} ${read.error.issues[0]?.message}.`);
  }
  const given = ratesIn(flags);
  const convert = given && converter(given.rates, given.day);
  return {
    token: read?.data,
    ignored,
    mapped: mappedBy(flags),
    currency: currencyOf(flags),
    convert,
  };
}

/** The currency of --currency. */
function currencyOf({ currency, rates, return: returned }: Flags): string | undefined {
  if (currency === undefined) return undefined;
  if (rates === undefined && returned === undefined) {
    throw new InputError('--currency: has a meaning with --rates alone. Give the rates, too.');
  }
  if (isCurrency(String(currency))) return String(currency);
  throw new InputError(
    `--currency: ${shown(currency)} is no currency of ISO 4217. Give three capitals such as EUR.`,
  );
}

/** The columns of --map. A comma in the name of a column is not one between two of them. */
function mappedBy({ map }: Flags): Map<Field, string> {
  const texts = typeof map === 'string' ? map.split(/,(?=[^,=]*=)/) : [];
  try {
    return mapOf(texts);
  } catch (error) {
    throw new InputError(`--map: ${messageOf(error)}`);
  }
}

function lookedThrough(
  order: ReadPayout,
  file: LinesFile | undefined,
  { rates, allFaults }: Flags,
): Promise<Survey> | Survey {
  if (file === undefined && order.lines !== undefined) {
    if (rates === undefined) return surveyOf(order.lines);
    throw new InputError(
      '--rates: the lines of the order are in tokens alone. Give lines in a currency as .csv, ' +
        '.jsonl or .json.',
    );
  }
  if (file !== undefined && order.lines === undefined) {
    return survey(file, { isAllTold: allFaults === true });
  }
  throw new InputError(
    file === undefined
      ? 'FILE: is missing. Give the lines as .csv, .jsonl or .json.'
      : `FILE: the order in --file has lines, as has ${file.path}. Give one of them.`,
  );
}

/** Refuses what the seal would refuse later. */
function refuse(order: ReadPayout, { totals }: Survey, flags: Flags): void {
  const limit = flags.maxTotal === undefined ? 'maxTotal' : '--max-total';
  for (const [name, most] of Object.entries(order.maxTotal ?? {})) {
    const sum = totals
      .filter(({ token }) => coinOf(token) === coinOf(name))
      .reduce((units, { amount }) => units + toBaseUnits(amount, finest), 0n);
    if (sum > toBaseUnits(most, finest)) {
      const amount = fromBaseUnits(sum, finest);
      throw new InputError(`${limit}: the lines come to ${amount} ${name}, which is over ${most}.`);
    }
  }
}
