import { shown } from '../../orders/input/shown';
import { inWords } from '../../orders/input/words';
import { payoutLine, type ReadLine } from '../../orders/payout';
import { columnFaults, fieldOf, type LineField, lineFields, type Row } from './columns';
import type { LinesFile } from './linesFile';
import { shortened, spoiltAmount } from './readAmount';

export type RowRead = {
  /** Undefined if the row has a fault. */
  line: ReadLine | undefined;
  /** Its id as it is given, and the column that it is in. */
  lineId: unknown;
  idColumn: string;
  /** Faults, as sentences that name row, column and value. */
  faults: string[];
};

/** Reads a row of a file as a line of a payout. */
export function readRow(
  read: Row,
  file: Pick<LinesFile, 'token' | 'ignored' | 'isEuropean'>,
): RowRead {
  const { row } = read;
  if ('fault' in read) {
    const faults = [`row ${row}: ${read.fault}`];
    return { line: undefined, lineId: undefined, idColumn: '', faults };
  }
  const columns = Object.keys(read.values).filter((column) => !file.ignored.has(column));
  const columnOf = (field: LineField): string =>
    columns.find((column) => fieldOf(column) === field) ?? field;
  const given = (field: LineField): unknown => {
    const value = read.values[columnOf(field)];
    const isLeftOut = value === '' || value === undefined || value === null;
    if (!isLeftOut) return value;
    return field === 'token' ? file.token : undefined;
  };
  const fields = Object.fromEntries(lineFields.map((field) => [field, given(field)]));
  const { line, faults } = readFields(fields, file.isEuropean);
  const misnamed = columnFaults(columns, file.ignored);
  return {
    line: misnamed.length === 0 ? line : undefined,
    lineId: fields.lineId,
    idColumn: columnOf('lineId'),
    faults: [
      ...misnamed.map((fault) => `row ${row}: ${fault}`),
      ...faults.map(([field, fault]) => `row ${row}, column ${columnOf(field)}: ${fault}`),
    ],
  };
}

type Fault = readonly [field: LineField, fault: string];

function readFields(
  fields: Readonly<Record<string, unknown>>,
  isEuropean: boolean,
): { line: ReadLine | undefined; faults: Fault[] } {
  const parsed = payoutLine.safeParse(fields, { error: inWords });
  const faults = lineFields.flatMap((field): Fault[] => {
    const value = fields[field];
    const own = ownFault(field, value, isEuropean);
    if (own !== undefined) return [[field, own]];
    const issue = parsed.error?.issues.find(({ path }) => path[0] === field);
    return issue === undefined ? [] : [[field, `${shown(value)} ${issue.message}.`]];
  });
  return { line: faults.length === 0 ? parsed.data : undefined, faults };
}

/** The fault of a value that a spreadsheet has changed. */
function ownFault(field: LineField, value: unknown, isEuropean: boolean): string | undefined {
  if (value === undefined && field === 'reference') return undefined;
  if (value === undefined) {
    return field === 'token'
      ? 'is empty. Fill it in, or give --token for lines that have none.'
      : 'is empty. Fill it in.';
  }
  if (typeof value !== 'string') return undefined;
  if (field === 'amount') {
    const fault = spoiltAmount(value, isEuropean);
    return fault && `${shown(value)} ${fault}`;
  }
  const isShortened = field === 'lineId' && /^\d+([.,]\d+)?E\+\d+$/.test(value);
  return isShortened ? `${shown(value)} ${shortened}` : undefined;
}
