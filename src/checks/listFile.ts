import { readFileSync, statSync } from 'node:fs';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { isRecord } from '../custody/isRecord';
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
export function filledRows(
  { lead, Fault }: ListFile,
  text: string,
  delimiter = ',',
): NumberedRow[] {
  const rows: NumberedRow[] = [];
  try {
    parseCsv(text, {
      bom: true,
      comment: '#',
      comment_no_infix: true,
      delimiter,
      on_record: (cells: string[], { lines: row }) => {
        if (cells.some((cell) => cell !== '')) rows.push({ cells, row });
        return null;
      },
      relax_column_count: true,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Fault(`${lead} is malformed: ${error.message}.`);
  }
  return rows;
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
