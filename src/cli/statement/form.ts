import type { Period } from '../../books/chain/period';
import { inCamt053 } from '../../books/form/camt053';
import { type CamtVersion, camtVersions } from '../../books/form/camtParts';
import { statementCsv } from '../../books/form/csv';
import { inHledger } from '../../books/form/hledger';
import { inJsonLines } from '../../books/form/jsonl';
import { chainOf } from '../../books/money';
import type { Valuing } from '../../books/rates/valued';
import type { StatementRow } from '../../books/statement';
import { InputError } from '../exit';
import type { Flags } from '../flags';
import { valuingIn } from '../rates/ratesFlags';
import { inTable } from './table';

/** The form of a statement, and what only one of them takes. */
export type Form = {
  name: (typeof names)[number];
  version: CamtVersion;
  currencies: ReadonlyMap<string, string>;
  /** Rates to value rows by, and in which currency. */
  valuing: Valuing | undefined;
};

const names = ['table', 'jsonl', 'csv', 'hledger', 'camt053', 'bank-csv'] as const;

/** Reads the flags about the form. Its default is a table on a terminal, else JSON Lines. */
export function formOf(flags: Flags, isTerminal: boolean): Form {
  const usual = isTerminal && flags.out === undefined ? 'table' : 'jsonl';
  const name = oneOf('--format', flags.format ?? usual, names);
  const ofBanks = { 'camt-version': flags.camtVersion, currency: flags.currency };
  for (const [flag, value] of Object.entries(ofBanks)) {
    if (value === undefined || name === 'camt053') continue;
    throw new InputError(`--${flag}: has a meaning with --format camt053 alone.`);
  }
  if (name === 'bank-csv' && flags.out === undefined) {
    throw new InputError(
      '--out: is missing. bank-csv is a file for each wallet and token: name a folder for them.',
    );
  }
  const version = oneOf('--camt-version', flags.camtVersion ?? '12', camtVersions);
  const valuing = valuingIn(flags);
  if (name === 'bank-csv' && valuing !== undefined) {
    throw new InputError('--rates: bank-csv has no column for values. Give --format csv.');
  }
  return { name, version, currencies: currenciesOf(flags.currency), valuing };
}

/** The text of a statement in every form but bank-csv, which is several files. */
export function statementText(
  rows: AsyncIterable<StatementRow>,
  { name, valuing, ...how }: Form & { period: Period; blockchain: string },
): AsyncGenerator<string, void> {
  if (name === 'camt053') return inCamt053(rows, how);
  if (name === 'csv') return statementCsv(rows, { isValued: valuing !== undefined });
  if (name === 'hledger') return inHledger(rows);
  return name === 'table' ? inTable(rows, valuing?.currency) : inJsonLines(rows);
}

/** Refuses a currency of a token that the chain does not list. */
export function checkCurrencies({ currencies }: Form, blockchain: string): void {
  const listed: string[] = chainOf(blockchain).tokens.map(({ symbol }) => symbol);
  for (const token of currencies.keys()) {
    if (listed.includes(token)) continue;
    throw new InputError(
      `--currency: ${token} is no token that ${blockchain} lists. Give ${listed.join(', ')}.`,
    );
  }
}

function currenciesOf(given: Flags[string]): ReadonlyMap<string, string> {
  const known = new Set(Intl.supportedValuesOf('currency'));
  const found = new Map<string, string>();
  for (const pair of given === undefined ? [] : String(given).split(',')) {
    const [, token, currency] = /^\s*(\w+)=([A-Z]{3})\s*$/.exec(pair) ?? [];
    if (token === undefined || currency === undefined || !known.has(currency)) {
      throw new InputError(
        `--currency: ${pair} is no token with a currency of ISO 4217. Give such as USDC=USD,EURC=EUR.`,
      );
    }
    if (found.has(token))
      throw new InputError(`--currency: ${token} has two currencies. Give one.`);
    found.set(token, currency);
  }
  return found;
}

function oneOf<T extends string>(flag: string, given: unknown, known: readonly T[]): T {
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw new InputError(`${flag}: ${String(given)} is not one of ${known.join(', ')}.`);
}
