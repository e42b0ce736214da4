import { readFileSync, statSync } from 'node:fs';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { isRecord } from '../custody/isRecord';
import { shown } from '../orders/input/shown';
import { systemFault } from '../orders/input/systemFault';

/** A list that people keep in a file: CSV with a header, or YAML. */
export type ListFile = {
  path: string;
  /** The begin of each sentence about it, such as "The rates file rates.csv". */
  lead: string;
  Fault: new (message: string) => Error;
};

/** An entry as the file has it, and its place in words. */
export type Written = { at: string; values: Readonly<Record<string, unknown>> };

/** So many faults of a file are told. */
const toldMax = 20;

/** Reads a file of limited size. Throws its Fault with the way out. */
export function bytesOf(
  { path, lead, Fault }: ListFile,
  { bytesMax, way }: { bytesMax: number; way: string },
): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= bytesMax) return readFileSync(path);
    throw new Fault(`${lead} has ${size} bytes, and may have ${bytesMax}. ${way}`);
  } catch (error) {
    const fault = systemFault(error);
    if (fault === undefined) throw error;
    throw new Fault(`${lead} cannot be read: ${fault}.`);
  }
}

/** The text of a file in UTF-8. Throws its Fault for other bytes, which would change names. */
export function textIn({ lead, Fault }: ListFile, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Fault(`${lead} is not UTF-8. Save it as UTF-8.`);
  }
}

/** A row of a CSV file, and its number there. Comments and empty rows are counted. */
export type NumberedRow = { cells: string[]; row: number };

/** The rows of a CSV text that have a value. Throws the Fault of the file if it is malformed. */
export function filledRows(file: ListFile, text: string): NumberedRow[] {
  const rows: NumberedRow[] = [];
  eachRow(file, { text, delimiter: ',' }, (row) => rows.push(row));
  return rows;
}

/**
 * The rows of a CSV text that are comments, although an address stands behind their first value. A
 * payee whose name begins with # would be missing, and nobody would know.
 */
export function hiddenRows(text: string): number[] {
  return text.split(/\r\n|[\r\n]/).flatMap((line, at) => (isHidden(line) ? [at + 1] : []));
}

function isHidden(line: string): boolean {
  const [first = '', ...others] = line.split(',');
  return first.trimStart().startsWith('#') && others.some((value) => /^\s*"?\s*0x/i.test(value));
}

/** The fault of such a row. */
export const hiddenFault =
  'begins with #, as a comment does, and has an address behind its first value. Put that value in ' +
  'double quotes, or take the row out';

/** Hands on each row that has a value, and keeps none, since a file may have very many. */
function eachRow(
  { lead, Fault }: ListFile,
  { text, delimiter }: { text: string; delimiter: string },
  see: (row: NumberedRow) => void,
): void {
  try {
    parseCsv(text, {
      bom: true,
      comment: '#',
      comment_no_infix: true,
      delimiter,
      on_record: (cells: string[], { lines: row }) => {
        if (cells.some((cell) => cell !== '')) see({ cells, row });
        return null;
      },
      relax_column_count: true,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Fault(`${lead} is malformed: ${error.message}.`);
  }
}

/** A CSV text with a header, and the columns that it must have. */
type Table = { text: string; needed: readonly string[]; delimiter?: string };

/**
 * Hands on the entries of a CSV text, one after another. Throws the Fault of the file for a header
 * that lacks a column or names one twice, and for rows with more values than columns.
 */
export function eachEntry(
  file: ListFile,
  { text, needed, delimiter = ',' }: Table,
  see: (entry: Written) => void,
): void {
  let columns: string[] | undefined;
  const longer: string[] = [];
  eachRow(file, { text, delimiter }, ({ cells, row }) => {
    if (columns === undefined) columns = columnsIn(file, cells, needed);
    else if (cells.length > columns.length) {
      longer.push(`row ${row}: has ${cells.length} values, for ${columns.length} columns.`);
    } else {
      const values = Object.fromEntries(columns.map((name, at) => [name, cells[at]]));
      see({ at: `row ${row}`, values });
    }
  });
  if (columns === undefined) columnsIn(file, [], needed);
  refuseFaults(file, longer);
}

function columnsIn(file: ListFile, header: readonly string[], needed: readonly string[]): string[] {
  const columns = header.map((name) => name.toLowerCase());
  const missing = needed.filter((name) => !columns.includes(name));
  const twice = columns.filter((name, at) => columns.indexOf(name) < at);
  refuseFaults(file, [
    ...missing.map((name) => `the first row names no column ${name}.`),
    ...twice.map((name) => `the first row names the column ${shown(name)} twice. Leave one.`),
  ]);
  return columns;
}

/** The entries of a YAML list. Every value is its text: YAML makes numbers of rates and addresses. */
export function itemsIn({ lead, Fault }: ListFile, text: string, way: string): Written[] {
  let list: unknown;
  try {
    list = parseYaml(text.replace(/^\ufeff/, ''), { schema: 'failsafe', logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Fault(`${lead} is malformed: ${reason.replace(/[.:]$/, '')}.`);
  }
  if (!Array.isArray(list)) throw new Fault(`${lead} is no list. ${way}`);
  return list.map((item: unknown, index) => ({
    at: `entry ${index + 1}`,
    values: isRecord(item) ? item : {},
  }));
}

/** Throws the first faults of a file, if it has any. */
export function refuseFaults({ lead, Fault }: ListFile, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length > toldMax ? [`and ${faults.length - toldMax} more`] : [];
  throw new Fault(`${lead} has faults:\n  ${[...faults.slice(0, toldMax), ...more].join('\n  ')}`);
}
