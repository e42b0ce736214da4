import { extname } from 'node:path';
import type { z } from 'zod';
import { addTo } from '../../checks/addTo';
import {
  bytesOf,
  eachEntry,
  itemsIn,
  type ListFile,
  refuseFaults,
  textIn,
  type Written,
} from '../../checks/listFile';
import type { Decimals } from '../../orders/exchange/eitherFault';
import { currency, type DayRate, exchangeRate, rateSource } from '../../orders/exchange/exchange';
import { token } from '../../orders/input/fields';
import { SentenceError } from '../../orders/input/sentenceError';
import { shown } from '../../orders/input/shown';
import { issueInWords } from '../../orders/input/words';
import { type Pair, pairKey, type RatesFile } from './rates';
import { dayFault, leapFaults, textFault } from './rowFaults';

/** The rates file cannot be used. The message names the file, the row and the way out. */
export class RatesError extends SentenceError {
  override readonly name = 'RatesError';
}

const fileBytesMax = 10_000_000;
const needed = ['date', 'currency', 'token', 'rate'] as const;
/** A source and a note are for people. The note stays in the file. */
const fields = [...needed, 'source', 'note'] as const;
type Field = (typeof fields)[number];

/**
 * Reads a file of rates: CSV with a header, or a YAML list. A row has a date, a currency, a token
 * and a rate, and may have a source and a note. Throws a RatesError with every fault: a value that
 * is none, a day that has not begun, two rates of one day.
 */
export function readRatesFile(
  path: string,
  { nowMs, daysMax }: { nowMs: number; daysMax: number },
): RatesFile {
  const faults: string[] = [];
  const placeOf = new Map<string, string>();
  const rates = new Map<string, DayRate[]>();
  const pairs: Pair[] = [];
  const file = { path, lead: `The rates file ${path}`, Fault: RatesError };
  const { written, decimals } = writtenIn(file);
  for (const { at, values } of written) {
    const own = textsOf(values);
    const wrong = [...unknownFaults(values), ...rowFaults(own, { nowMs, decimals })];
    faults.push(...wrong.map((fault) => `${at}, ${fault}`));
    if (wrong.length > 0) continue;
    const pair = { currency: own.currency, token: token.parse(own.token) };
    const key = `${own.date} ${pairKey(pair)}`;
    const other = placeOf.get(key);
    if (other !== undefined) {
      const name = `${pair.currency} in ${pair.token}`;
      faults.push(`${at}: ${own.date} has a rate of ${name} in ${other} too. Leave one.`);
      continue;
    }
    placeOf.set(key, at);
    if (!rates.has(pairKey(pair))) pairs.push(pair);
    const one = { rate: own.rate, day: own.date, ...(own.source && { source: own.source }) };
    addTo(rates, pairKey(pair), one);
  }
  for (const all of rates.values()) all.sort((one, other) => (one.day < other.day ? -1 : 1));
  const placeAt = (pair: string, day: string) => placeOf.get(`${day} ${pair}`) ?? '';
  for (const [pair, all] of rates) faults.push(...leapFaults(all, (day) => placeAt(pair, day)));
  refuseFaults(file, faults);
  if (written.length === 0) throw new RatesError(`${file.lead} holds no rates.`);
  return {
    path,
    daysMax,
    currencies: [...new Set(pairs.map((pair) => pair.currency))],
    tokensOf: (code) => pairs.filter((pair) => pair.currency === code).map((pair) => pair.token),
    ratesOf: (pair) => rates.get(pairKey(pair)) ?? [],
  };
}

/** The fields of a row as texts. A whole number of YAML is written as it stands there. */
function textsOf(values: Written['values']): Record<Field, string> {
  const textOf = (field: Field) => String(values[field] ?? '').trim();
  const [date, code, name, per, source, note] = fields.map(textOf);
  return {
    date: date ?? '',
    currency: code ?? '',
    token: name ?? '',
    rate: per ?? '',
    source: source ?? '',
    note: note ?? '',
  };
}

function unknownFaults(values: Written['values']): string[] {
  return Object.keys(values)
    .filter((name) => !fields.some((field) => field === name))
    .map(
      (name) => `column ${shown(name)}: is no field of a rate. Fields are ${fields.join(', ')}.`,
    );
}

/** The moment of reading, and the mark before the decimals of the file. */
type Reading = { nowMs: number; decimals: Decimals };

function rowFaults(own: Record<Field, string>, { nowMs, decimals }: Reading): string[] {
  const of = (field: Field, fault: string | undefined) =>
    fault === undefined ? [] : [`column ${field}: ${shown(own[field])} ${fault}`];
  const words = (schema: z.ZodType, text: string) => {
    const issue = schema.safeParse(text, { error: issueInWords }).error?.issues[0];
    return issue && `${issue.message}.`;
  };
  const missing = needed.find((field) => own[field] === '');
  if (missing !== undefined) return [`column ${missing}: is empty. Fill it in.`];
  return [
    ...of('date', dayFault(own.date, nowMs)),
    ...of('currency', words(currency, own.currency)),
    ...of('token', words(token, own.token)),
    ...of('rate', textFault(own.rate, decimals) ?? words(exchangeRate, own.rate)),
    ...(own.source === '' ? [] : of('source', words(rateSource, own.source))),
  ];
}

function writtenIn(file: ListFile): { written: Written[]; decimals: Decimals } {
  const way = 'Leave out the days that are no longer needed.';
  const text = textIn(file, bytesOf(file, { bytesMax: fileBytesMax, way }));
  const form = extname(file.path).toLowerCase();
  if (form === '.csv') return rowsIn(file, text);
  if (form === '.yaml' || form === '.yml') {
    return { written: itemsIn(file, text, wayToList), decimals: 'point' };
  }
  throw new RatesError(`${file.lead} is neither .csv nor .yaml. Name it after its form.`);
}

const wayToList =
  'Give rows such as - {date: 2026-01-31, currency: EUR, token: USDC, rate: "1.08"}.';

function rowsIn(file: ListFile, text: string): ReturnType<typeof writtenIn> {
  const written: Written[] = [];
  const delimiter = separatorOf(text);
  eachEntry(file, { text, needed, delimiter }, (row) => written.push(row));
  // A locale with a comma before decimals separates values by others.
  return { written, decimals: delimiter === ',' ? 'unknown' : 'comma' };
}

function separatorOf(text: string): string {
  const [first = ''] = text
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return [';', '\t'].find((one) => first.includes(one)) ?? ',';
}
