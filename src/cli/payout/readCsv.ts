import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { columnFaults, fieldOf, lineFields } from './columns';
import { type Row, rowCharactersMax } from './row';

export type CsvOptions = {
  /** What stands between values. */
  separator: string;
  /** Columns that are left alone. */
  ignored: ReadonlySet<string>;
  /** Whether lines may be without a token, since all have the same. */
  hasToken: boolean;
};

/**
 * Reads a CSV file (RFC 4180; also with ; or tabs for commas, as European spreadsheets write it)
 * row by row. Blank rows are passed over; a row that cannot be read is told with what is wrong.
 */
export async function* readCsv(path: string, options: CsvOptions): AsyncGenerator<Row, void> {
  const { records, skipped } = recordsOf(path, options.separator);
  let taken = 0;
  let told = 0;
  let header: string[] | undefined;
  /** Rows that were skipped before as many records as were taken. */
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
      header = cells;
      const faults = headerFaults(header, options);
      for (const fault of faults) yield { row, fault };
      if (faults.length > 0) return;
    }
    yield* faulty();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { row: Number(error.records) + skipped.length + 1, fault: faultOf(error) };
  }
}

/** A row that cannot be taken apart: on which line, and how many records came before it. */
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
      // It would be told again for every further character.
      if (error.code === 'CSV_MAX_RECORD_SIZE') throw error;
      const line = Number(error.lines);
      if (skipped.at(-1)?.line === line) return;
      skipped.push({ line, after: Number(error.records), fault: faultOf(error) });
    },
  });
  // A file that cannot be read any more ends the parser, and so the loop that reads from it.
  pipeline(createReadStream(path), parser, () => {});
  return { records: parser, skipped };
}

function headerFaults(header: readonly string[], { ignored, hasToken }: CsvOptions): string[] {
  const fields = header.filter((column) => !ignored.has(column)).map(fieldOf);
  if (fields.every((field) => field === undefined)) {
    return [`names no column. The first row is one such as ${lineFields.join(',')}.`];
  }
  const missing = lineFields.filter(
    (field) => !fields.includes(field) && !(field === 'token' && hasToken),
  );
  return [
    ...columnFaults(header, ignored),
    ...missing.map((field) => `there is no column ${field}. ${ways[field] ?? 'Name it there.'}`),
  ];
}

const ways: Readonly<Record<string, string>> = {
  lineId: 'Give each line an id of its own: it is what keeps it from being paid twice.',
  token: 'Add it, or give --token USDC where all lines have the same.',
};

function rowOf(read: { row: number; header: readonly string[]; cells: readonly string[] }): Row {
  const { row, header, cells } = read;
  // What spreadsheets leave behind the last column, of columns that were deleted.
  const length = cells.findLastIndex((cell) => cell !== '') + 1;
  if (length <= header.length) {
    const values = header.map((column, at) => [column, cells[at] ?? ''] as const);
    return { row, values: Object.fromEntries(values) };
  }
  const fault =
    `has ${length} values, but the header has ${header.length} columns. ` +
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
