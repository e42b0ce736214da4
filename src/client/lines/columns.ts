import type { Convert } from '../../books/rates/convert';
import { quoted, shown } from '../../orders/input/shown';
import {
  type Condition,
  codeIn,
  conditionFields,
  conditionOf,
  riskOf,
} from './conditions/conditions';
import { ignoredIn } from './ignoredIn';

/** The fields that a line in a file must have. */
export const neededFields = ['lineId', 'to', 'amount', 'token'] as const;
/** The fields of a line in a file. */
export const lineFields = [...neededFields, 'currency', 'reference', 'name'] as const;
type LineField = (typeof lineFields)[number];
export type Field = LineField | Condition;

const allFields = [...lineFields, ...conditionFields];

/** The wishes of somebody about the columns of a file. */
export type FileReading = {
  /** The token of lines that name none. */
  token: string | undefined;
  /** The currency of amounts whose lines name none. */
  currency?: string | undefined;
  /** Converts amounts in a currency. Without it, the currency of an amount is its token. */
  convert?: Convert | undefined;
  /** True for the file of a payout that is paid: its lines are not asked what they are in. */
  isPaid?: boolean;
  /** Columns to ignore, as words between commas. A comma may be in the name of one column, too. */
  ignored: Iterable<string>;
  /** Columns by the fields that they hold, where somebody says so. */
  mapped?: ReadonlyMap<Field, string>;
};

/** Names of columns that can mean only one field. Case, spaces, _ and - are ignored. */
const names: Readonly<Record<LineField, readonly string[]>> = {
  lineId: ['lineid', 'id', 'paymentid', 'endtoendid'],
  to: [
    ...['to', 'toaddress', 'address', 'walletaddress', 'receiver', 'receiveraddress'],
    ...['recipient', 'recipientaddress', 'recipientwallet', 'recipientwalletaddress'],
    ...['payeeaddress', 'payeewallet', 'payeewalletaddress', 'receiverwallet'],
    ...['receiverwalletaddress', 'destination', 'destinationaddress', 'beneficiaryaddress'],
  ],
  amount: ['amount', 'payamount', 'paymentamount', 'amounttopay', 'value'],
  token: ['token', 'tokenaddress', 'coin'],
  currency: ['currency', 'paymentcurrency', 'ccy'],
  reference: ['reference', 'memo', 'note', 'notes', 'reason', 'paymentreference'],
  name: ['name', 'fullname', 'payeename', 'recipientname', 'receivername', 'employeename'],
};

const fields = new Map(lineFields.flatMap((field) => names[field].map((name) => [name, field])));

/**
 * A symbol behind the name of an amount: "Amount (USDC)". It begins with the symbol, since a name
 * may have thousands of blanks before it.
 */
const unitForm = /(USDC|EURC)\s*[)\]]?$/i;

function plain(column: string): string {
  return column.toLowerCase().replace(/[\s_-]/g, '');
}

/** The field that the name of a column or a JSON key means, or undefined. */
function fieldOf(column: string): Field | undefined {
  const isAmount = unitOf(column) !== undefined;
  return fields.get(plain(column)) ?? (isAmount ? 'amount' : conditionOf(plain(column)));
}

/** The token in the name of a column of amounts. */
function unitOf(column: string): string | undefined {
  const found = unitForm.exec(column);
  const amount = column.slice(0, found?.index).trimEnd().replace(/[([]$/, '');
  return names.amount.includes(plain(amount)) ? found?.[1]?.toUpperCase() : undefined;
}

/** The columns of a file by the fields that they hold, and sentences about what is wrong. */
export type Columns = {
  of(field: string): string | undefined;
  /** True for a column that holds a field. */
  isKnown(column: string): boolean;
  /** The token for all lines: somebody gives it, or the column of amounts names it. */
  token: string | undefined;
  /** The token that the column of amounts names. */
  unit: string | undefined;
  /** The currency that the column of amounts names, of lines that are to be paid. */
  code: string | undefined;
  misnamed: readonly string[];
  missing: readonly string[];
  /** False if a needed column is missing or there twice, which makes every row wrong. */
  isReadable: boolean;
};

let last: { key: string; reading: FileReading; columns: Columns } | undefined;

/** Finds the column of each field. Most rows have the columns of the row before them. */
export function columnsOf(all: readonly string[], reading: FileReading): Columns {
  const key = all.join('\n');
  if (last === undefined || last.reading !== reading || last.key !== key) {
    last = { key, reading, columns: findColumns(all, reading) };
  }
  return last.columns;
}

function findColumns(all: readonly string[], reading: FileReading): Columns {
  const { mapped = new Map<Field, string>() } = reading;
  const ignored = ignoredIn(all, [...reading.ignored]);
  const read = all.filter((column) => !ignored.has(column.trim()));
  const found = allFields.map((field) => [field, columnsFor(field, read, reading)] as const);
  const of = (field: string) => found.find(([one]) => one === field)?.[1][0];
  const amounts = of('amount') ?? '';
  const unit = unitOf(amounts);
  const code = reading.isPaid === true ? undefined : codeIn(amounts);
  const token = reading.token ?? unit;
  const isInCurrency = (of('currency') ?? reading.currency) !== undefined;
  const hasToken = token !== undefined || isInCurrency;
  const missing = neededFields.filter(
    (field) => of(field) === undefined && !(field === 'token' && hasToken),
  );
  const twice = found.filter(([, columns]) => columns.length > 1);
  const known = new Set(found.flatMap(([, columns]) => columns));
  const unknown = read.filter((column) => !known.has(column));
  const isOther = unit !== undefined && token !== unit;
  const isUnconverted = code !== undefined && reading.convert === undefined;
  const lost = [...mapped].filter(([field]) => of(field) === undefined);
  return {
    of,
    isKnown: (column) => known.has(column),
    token,
    unit,
    code,
    isReadable: missing.length === 0 && twice.length === 0 && !isOther && !isUnconverted,
    misnamed: [
      ...unknown.map((column) => unknownFault(column, missing)),
      ...twice.map(([field, columns]) => twiceFault(field, columns)),
      ...(isOther ? [`column ${named(amounts)} is not in ${token}, as --token says.`] : []),
      ...(isUnconverted ? [`column ${named(amounts)} ${inCurrency(code)}`] : []),
    ],
    missing: [
      ...lost.map(
        ([field, name]) => `there is no column ${named(name)}, which --map names for ${field}.`,
      ),
      ...missing.filter((field) => !mapped.has(field)).map(missingFault),
    ],
  };
}

/** The columns of a field. Without rates, a column of currencies holds tokens. */
function columnsFor(
  field: Field,
  read: readonly string[],
  { mapped = new Map<Field, string>(), convert }: FileReading,
): string[] {
  const own = holding(field, read, mapped);
  if (convert !== undefined) return own;
  if (field === 'currency') return [];
  if (field !== 'token' || mapped.has('token')) return own;
  const both = [...own, ...holding('currency', read, mapped)];
  return read.filter((column) => both.includes(column));
}

function holding(
  field: Field,
  read: readonly string[],
  mapped: ReadonlyMap<Field, string>,
): string[] {
  const column = mapped.get(field);
  if (column === undefined) {
    const own = read.filter((one) => fieldOf(one) === field);
    if (!conditionFields.some((one) => one === field)) return own;
    // Somebody may say that a column which seems to be a day is a reference.
    const others = [...mapped.keys()].flatMap((one) => holding(one, read, mapped));
    return own.filter((one) => !others.includes(one));
  }
  const exact = read.filter((one) => one === column);
  return exact.length > 0 ? exact : read.filter((one) => plain(one) === plain(column));
}

function missingFault(field: LineField): string {
  const way = ways[field] ?? `Name it there, or say which one it is with --map ${field}=<column>.`;
  return `there is no column ${field}. ${way}`;
}

const ways: Readonly<Record<string, string>> = {
  lineId:
    'Give each line an id of its own: it is what keeps it from being paid twice. A column that ' +
    'has it is named with --map lineId=<column>.',
  token: 'Add it, or give --token USDC where all lines have the same.',
};

function twiceFault(field: Field, columns: readonly string[]): string {
  const [first = ''] = columns;
  const fault = `there are several columns for ${field}`;
  // Two columns of one name cannot be told apart.
  if (new Set(columns).size < columns.length)
    return `${fault} by the name ${named(first)}. Leave one.`;
  const way = `Say which with --map ${field}=${named(first)}. Have others ignored with --ignore.`;
  return `${fault}: ${columns.map(named).join(' and ')}. ${way}`;
}

function unknownFault(column: string, missing: readonly LineField[]): string {
  const risk = riskOf(column);
  if (risk !== undefined) {
    return `column ${named(column)} ${risk} have it ignored with --ignore ${named(column)}.`;
  }
  const fault = `column ${named(column)} has no place here.`;
  const known = `Columns are ${lineFields.join(', ')}.`;
  if (column === '') return `${fault} ${known} Give it a name.`;
  const ignore = `have it ignored with --ignore ${named(column)}`;
  if (missing.length === 0) return `${fault} ${known} If nobody needs it, ${ignore}.`;
  const maps = missing.map((field) => `--map ${field}=${named(column)}`).join(' or ');
  return `${fault} If it is what is missing, say so with ${maps}. Otherwise ${ignore}.`;
}

function inCurrency(code: string): string {
  const way = `Give --rates and --currency ${code}, or a column of currencies.`;
  return `says that its amounts are in ${code}, which is no token. ${way}`;
}

function named(column: string): string {
  return /^[\w.-]+$/.test(column) ? column : quoted(JSON.stringify(column));
}

/** The fields and columns of --map, such as to=Wallet. Throws a RangeError with the wrong one. */
export function mapOf(texts: readonly string[]): Map<Field, string> {
  const mapped = new Map<Field, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const [name, column] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
    const field = allFields.find((one) => one === name) ?? fields.get(plain(name));
    if (field === undefined || column === '') {
      throw new RangeError(
        `${shown(text)} must be a field and a column, such as to="Wallet Address". ` +
          `Fields are ${allFields.join(', ')}.`,
      );
    }
    const other = mapped.get(field);
    if (other !== undefined && other !== column) {
      throw new RangeError(
        `${field} is in ${named(other)} and in ${named(column)}. Say which one it is.`,
      );
    }
    mapped.set(field, column);
  }
  return mapped;
}
