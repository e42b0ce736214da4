import { coinOf } from '../../checks/coinOf';
import { isRecord } from '../../custody/isRecord';
import type { Decimals } from '../../orders/exchange/eitherFault';
import { isCurrency } from '../../orders/exchange/exchange';
import { shown } from '../../orders/input/shown';
import { issueInWords } from '../../orders/input/words';
import { payoutLine, type ReadLine } from '../../orders/payout';
import { inToken } from './amount/inToken';
import { shortened, spoiltAmount } from './amount/readAmount';
import { type Columns, columnsOf, lineFields, neededFields } from './columns';
import { conditionFault, conditionFields } from './conditions/conditions';
import type { LinesFile } from './linesFile';
import type { FileRow } from './row';

type RowRead = {
  /** Undefined if the row has a fault. */
  line: ReadLine | undefined;
  /** Its id as it is given, and the column that it is in. */
  lineId: unknown;
  idColumn: string;
  /** Faults, as sentences that name row, column and value. */
  faults: string[];
};

/** Reads a row of a file as a line of a payout. */
export function readRow(read: FileRow, file: Pick<LinesFile, 'reading' | 'decimals'>): RowRead {
  const { row } = read;
  if ('fault' in read) {
    const faults = [row === undefined ? read.fault : `row ${row}: ${read.fault}`];
    return { line: undefined, lineId: undefined, idColumn: '', faults };
  }
  const { values, source } = read;
  const columns = columnsOf(Object.keys(values), file.reading);
  const columnOf = (field: string): string => columns.of(field) ?? field;
  const given = (field: string): unknown => {
    const value = values[columnOf(field)];
    const isLeftOut = value === '' || value === undefined || value === null;
    if (!isLeftOut) return value;
    return field === 'token' ? columns.token : undefined;
  };
  const fields = Object.fromEntries(ownFields.map((field) => [field, given(field)]));
  const { amount, token } = fields;
  const paid = inToken({ amount, token, currency: given('currency') }, { ...file, columns });
  const { line, faults } = readFields({ ...fields, source }, paid, file.decimals);
  faults.push(...besideFaults(given, columns));
  const { misnamed } = columns;
  return {
    line: misnamed.length === 0 && faults.length === 0 ? line : undefined,
    lineId: fields.lineId,
    idColumn: columnOf('lineId'),
    faults: [
      ...misnamed.map((fault) => `row ${row}: ${fault}`),
      ...faults.map(([field, fault]) => `row ${row}, column ${columnOf(field)}: ${fault}`),
    ],
  };
}

/** Faults of a line that is to be paid elsewhere or later, or in another token than its amount. */
function besideFaults(given: (field: string) => unknown, { unit }: Columns): Fault[] {
  const token = given('token');
  const isOther = unit !== undefined && typeof token === 'string' && coinOf(token) !== coinOf(unit);
  const beside = conditionFields.flatMap((field): Fault[] => {
    const value = given(field);
    const fault = value === undefined ? undefined : conditionFault(field, value);
    return fault === undefined ? [] : [[field, fault]];
  });
  const words = `${shown(token)} is not ${unit}, which the name of the amounts' column says.`;
  return isOther ? [['token', words], ...beside] : beside;
}

type Fault = readonly [field: string, fault: string];

/** The fields of a line but its currency, which the line keeps in its exchange. */
const ownFields = lineFields.filter((field) => field !== 'currency');

function readFields(
  given: Readonly<Record<string, unknown>>,
  paid: ReturnType<typeof inToken>,
  decimals: Decimals,
): { line: ReadLine | undefined; faults: Fault[] } {
  const wrong = 'fault' in paid ? paid : undefined;
  const own = 'fault' in paid ? {} : paid;
  const fields: Readonly<Record<string, unknown>> = { ...given, ...own };
  const parsed = payoutLine.safeParse(fields, { error: issueInWords });
  const left = [...ownFields, 'source'].filter(
    (field) => wrong === undefined || !['amount', 'token'].includes(field),
  );
  const told: Fault[] = wrong === undefined ? [] : [[wrong.field, wrong.fault]];
  const others = left.flatMap((field): Fault[] => {
    const value = fields[field];
    const own = ownFault(field, value, decimals);
    if (own !== undefined) return [[field, own]];
    const issue = parsed.error?.issues.find(({ path }) => path[0] === field);
    if (issue === undefined) return [];
    const [, within] = issue.path;
    if (within === undefined || !isRecord(value))
      return [[field, `${shown(value)} ${issue.message}.`]];
    return [[String(within), `${shown(value[String(within)])} ${issue.message}.`]];
  });
  const faults = [...told, ...others];
  return { line: faults.length === 0 ? parsed.data : undefined, faults };
}

/** The fault of a value that is left out, or that a spreadsheet has changed. */
function ownFault(field: string, value: unknown, decimals: Decimals): string | undefined {
  if (value === undefined && !neededFields.some((needed) => needed === field)) return undefined;
  if (value === undefined) {
    return field === 'token'
      ? 'is empty. Fill it in, or give --token for lines that have none.'
      : 'is empty. Fill it in.';
  }
  if (typeof value !== 'string') return undefined;
  if (field === 'token' && isCurrency(value)) {
    return `${shown(value)} is a currency, and no token. Amounts in a currency need --rates.`;
  }
  if (field === 'amount') {
    const fault = spoiltAmount(value, decimals);
    return fault && `${shown(value)} ${fault}`;
  }
  const isNumber = ['lineId', 'to', 'token'].includes(field);
  const isShortened = isNumber && /^\d+([.,]\d+)?E\+\d+$/.test(value);
  return isShortened ? `${shown(value)} ${shortened}` : undefined;
}
