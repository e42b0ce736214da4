import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import {
  columnFaults,
  fieldOf,
  type LineField,
  neededFields,
  type Row,
  rowCharactersMax,
} from './columns';

export type CsvOptions = {
  /** The character between values. */
  separator: string;
  /** Columns to ignore. */
  ignored: ReadonlySet<string>;
  /** True when one token for all lines is given. */
  hasToken: boolean;
};

/**
 * Reads a CSV file (RFC 4180, or separated by semicolons or tabs) row by row. Skips blank rows. A
 * row that cannot be read comes with its fault.
 */
export async function* readCsv(path: string, options: CsvOptions): AsyncGenerator<Row, void> {
  const { records, skipped } = recordsOf(path, options.separator);
  let taken = 0;
  let told = 0;
  let header: Header | undefined;
  /** Rows that cannot be parsed, up to the current record. */
  function* faulty(): Generator<Row, void> {
    for (let skip = skipped[told]; skip && skip.after <= taken; skip = skipped[told]) {
      told += 1;
      yield { row: taken + told, fault: skip.fault };
    }
  }
  try {
    for await (const cells of records) {
      yield* faulty();
      taken += 1;
      const row = taken + told;
      if (cells.every((cell) => cell === '')) continue;
      if (header !== undefined) {
        yield rowOf({ row, header, cells });
        continue;
      }
      header = headerOf(cells, options);
      for (const fault of header.faults) yield { row, fault };
      if (!header.isReadable) return;
    }
    yield* faulty();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { row: Number(error.records) + skipped.length + 1, fault: faultOf(error) };
  }
}

/** A row that cannot be parsed, with its line and the number of records before it. */
type Skipped = { line: number; after: number; fault: string };

function recordsOf(
  path: string,
  delimiter: string,
): { records: AsyncIterable<string[]>; skipped: Skipped[] } {
  const skipped: Skipped[] = [];
  const parser = parse({
    delimiter,
    bom: true,
    trim: true,
    relax_column_count: true,
    max_record_size: rowCharactersMax,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error === undefined) return;
      // This error would repeat for every further character.
      if (error.code === 'CSV_MAX_RECORD_SIZE') throw error;
      const line = Number(error.lines);
      if (skipped.at(-1)?.line === line) return;
      skipped.push({ line, after: Number(error.records), fault: faultOf(error) });
    },
  });
  // A read error ends the parser, and so the loop that reads from it.
  pipeline(createReadStream(path), parser, () => {});
  return { records: parser, skipped };
}

/** The width of a header, the columns to read, and its faults as sentences. */
type Header = {
  width: number;
  columns: readonly { column: string; at: number }[];
  faults: string[];
  /** False when a column is missing or ambiguous, which makes every row wrong. */
  isReadable: boolean;
};

function headerOf(cells: readonly string[], { ignored, hasToken }: CsvOptions): Header {
  const read = cells.flatMap((column, at) => (ignored.has(column) ? [] : [{ column, at }]));
  const columns = read.filter(({ column }) => fieldOf(column) !== undefined);
  const fields = new Set(columns.map(({ column }) => fieldOf(column)));
  const missing = neededFields.filter(
    (field) => !fields.has(field) && !(field === 'token' && hasToken),
  );
  const faults =
    columns.length === 0
      ? [`names no column. The first row is one such as ${neededFields.join(',')}.`]
      : [...columnFaults(cells, ignored), ...missing.map(missingFault)];
  const isReadable = missing.length === 0 && fields.size === columns.length;
  return { width: cells.length, columns, faults, isReadable };
}

function missingFault(field: LineField): string {
  return `there is no column ${field}. ${ways[field] ?? 'Name it there.'}`;
}

const ways: Readonly<Record<string, string>> = {
  lineId: 'Give each line an id of its own: it is what keeps it from being paid twice.',
  token: 'Add it, or give --token USDC where all lines have the same.',
};

function rowOf(read: { row: number; header: Header; cells: readonly string[] }): Row {
  const { row, header, cells } = read;
  // Spreadsheets leave empty cells of deleted columns at the end.
  const length = cells.findLastIndex((cell) => cell !== '') + 1;
  if (length <= header.width) {
    const values = header.columns.map(({ column, at }) => [column, cells[at] ?? ''] as const);
    return { row, values: Object.fromEntries(values) };
  }
  const fault =
    `has ${length} values, but the header has ${header.width} columns. ` +
    'A value that holds what separates values stands in double quotes.';
  return { row, fault };
}

function faultOf({ code, message }: CsvError): string {
  return syntaxFaults[code] ?? message;
}

const syntaxFaults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a double quote is opened here, or further down, and never closed.',
  CSV_INVALID_CLOSING_QUOTE:
    'something stands behind a closing double quote. A quote within a value is written twice.',
  INVALID_OPENING_QUOTE:
    'a double quote stands within a value that has none around it. Quote the whole value.',
  CSV_MAX_RECORD_SIZE: `is longer than ${rowCharactersMax} characters. A double quote may be open.`,
};
