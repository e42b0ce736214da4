import type { RatesFile } from '../../books/rates/rates';
import type { Valuing } from '../../books/rates/valued';
import { shown } from '../../orders/input/shown';
import { InputError } from '../exit';
import type { FlagList, Flags } from '../flags';

/** Days for which a rate counts: over Easter, central banks publish none for four. */
const daysUsual = 7;
const daysMax = 366;

const fileFlag: FlagList[number] = [
  '--rates <path>',
  'rates as .csv or .yaml: date, currency, token, and token units for one unit of the currency',
];
const ageFlag: FlagList[number] = [
  '--rates-age <days>',
  `the number of days for which a rate counts (default ${daysUsual})`,
];

/** Flags of a command that pays amounts in a currency. */
export const payingRates: FlagList = [
  fileFlag,
  ['--rates-day <day>', 'the day whose rates count, such as 2026-01-31 (default: today in UTC)'],
  ageFlag,
];

/** The names of these flags: they give no field of an order. */
export const noRates = ['--rates', '--rates-day', '--rates-age'];

/** Flags of a command that values tokens in a currency. */
export const valuingRates: FlagList = [
  fileFlag,
  ageFlag,
  ['--value-in <currency>', 'the currency of values (default: the only one that the rates have)'],
];

/** The current day in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The rates of --rates, and the day whose rates count. Undefined without --rates. */
export function ratesIn(flags: Flags): { rates: RatesFile; day: string } | undefined {
  const beside = { 'rates-day': flags.ratesDay, 'rates-age': flags.ratesAge };
  if (flags.rates === undefined) {
    const [lost] = Object.entries({ ...beside, 'value-in': flags.valueIn }).find(isGiven) ?? [];
    if (lost === undefined) return undefined;
    throw new InputError(`--${lost}: has a meaning with --rates alone. Give the rates, too.`);
  }
  const {
    readRatesFile,
  }: typeof import('../../books/rates/readRatesFile') = require('../../books/rates/readRatesFile');
  const {
    dayFault,
  }: typeof import('../../books/rates/rowFaults') = require('../../books/rates/rowFaults');
  const nowMs = Date.now();
  const day = flags.ratesDay === undefined ? today() : String(flags.ratesDay);
  const fault = dayFault(day, nowMs);
  if (fault !== undefined) throw new InputError(`--rates-day: ${shown(day)} ${fault}`);
  return { rates: readRatesFile(String(flags.rates), { nowMs, daysMax: daysOf(flags) }), day };
}

/** The rates of --rates, with the currency of --value-in, or the only one of the file. */
export function valuingIn(flags: Flags): Valuing | undefined {
  const given = ratesIn(flags);
  if (given === undefined) return undefined;
  const { rates } = given;
  const [only, ...others] = rates.currencies;
  const wanted = flags.valueIn === undefined && others.length === 0 ? only : flags.valueIn;
  const currency = rates.currencies.find((one) => one === wanted);
  if (currency !== undefined) return { rates, currency };
  const has = `${rates.path} has rates of ${rates.currencies.join(', ')}.`;
  throw new InputError(
    flags.valueIn === undefined
      ? `--value-in: is missing. ${has} Name the currency of values.`
      : `--value-in: ${String(flags.valueIn)} is none of them: ${has}`,
  );
}

function isGiven([, value]: [string, unknown]): boolean {
  return value !== undefined;
}

function daysOf({ ratesAge }: Flags): number {
  if (ratesAge === undefined) return daysUsual;
  const text = String(ratesAge);
  if (/^\d{1,3}$/.test(text) && Number(text) <= daysMax) return Number(text);
  throw new InputError(
    `--rates-age: ${shown(text)} must be a number of days from 0 to ${daysMax}.`,
  );
}
