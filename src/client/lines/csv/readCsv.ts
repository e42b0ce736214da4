import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { shown } from '../../../orders/input/shown';
import { columnsOf, type FileReading, neededFields } from '../columns';
import { type FileRow, rowCharactersMax } from '../row';
import { separatorForm } from './csvHead';

type CsvOptions = {
  /** The character between values. */
  separator: string;
  /** Lines above the header, such as the title of a table. */
  titles: readonly string[];
  reading: FileReading;
};

/**
 * Reads a CSV file (RFC 4180, or separated by semicolons or tabs) row by row. Skips blank rows. A
 * row that cannot be read comes with its fault.
 */
export async function* readCsv(path: string, options: CsvOptions): AsyncGenerator<FileRow, void> {
  const { records, skipped } = recordsOf(path, options.separator);
  let taken = 0;
  let told = 0;
  let header: Header | undefined;
  /** Rows that cannot be parsed, up to the current record. */
  function* faulty(): Generator<FileRow, void> {
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
        yield rowOf({ row, header, cells, separator: options.separator });
        continue;
      }
      // Excel's own word for the separator, which the head of the file has told.
      if (taken === 1 && separatorForm.test(cells.join(options.separator))) continue;
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
    // Not discovered by the first of them: programs that add rows to a file end them as they like.
    record_delimiter: ['\r\n', '\n', '\r'],
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
  nameless: readonly number[];
  amountAt: number;
  faults: string[];
  /** False when a column is missing or ambiguous, which makes every row wrong. */
  isReadable: boolean;
};

function headerOf(cells: readonly string[], { titles, reading }: CsvOptions): Header {
  // Spreadsheets leave separators behind the last column: a column without a name holds nothing.
  const columns = columnsOf(
    cells.filter((cell) => cell !== ''),
    reading,
  );
  const read = cells.flatMap((column, at) => (columns.isKnown(column) ? [{ column, at }] : []));
  const isNamed =
    titles.length === 0 && neededFields.some((field) => columns.of(field) !== undefined);
  const faults = cells.some(isLost)
    ? [notUtf8]
    : isNamed
      ? [...columns.misnamed, ...columns.missing]
      : [namelessFault(titles)];
  const isReadable = columns.isReadable && isNamed && faults[0] !== notUtf8;
  const amountAt = cells.indexOf(columns.of('amount') ?? '');
  const nameless = cells.flatMap((column, at) => (column === '' ? [at] : []));
  return { width: cells.length, columns: read, nameless, amountAt, faults, isReadable };
}

function namelessFault(titles: readonly string[]): string {
  if (titles.length === 0) {
    return `names no column. The first row is one such as ${neededFields.join(',')}.`;
  }
  const told = titles.map((title) => shown(title)).join(' and ');
  return `${told} stands above the names of the columns. Delete what is above them.`;
}

const notUtf8 =
  'is not UTF-8: a letter in it is lost. Save the file as "CSV UTF-8", with its letters as they ' +
  'were.';

/** True for a text with the mark that stands for bytes that are no UTF-8. */
function isLost(text: string): boolean {
  return text.includes('\ufffd');
}

type Read = { row: number; header: Header; cells: readonly string[]; separator: string };

function rowOf(read: Read): FileRow {
  const { row, header, cells } = read;
  const fault = formFault(read);
  if (fault !== undefined) return { row, fault };
  const values = header.columns.map(({ column, at }) => [column, cells[at] ?? ''] as const);
  return { row, values: Object.fromEntries(values) };
}

function formFault({ header, cells, separator }: Read): string | undefined {
  if (cells.some(isLost)) return notUtf8;
  if (cells.some((cell) => isOfTwoRows(cell, separator))) return twoRows;
  // Spreadsheets leave empty cells of deleted columns at the end.
  const length = cells.findLastIndex((cell) => cell !== '') + 1;
  if (length > header.width) {
    return (
      `has ${length} values, but the header has ${header.width} columns. ` +
      'A value that holds what separates values stands in double quotes.'
    );
  }
  const lost = header.nameless.map((at) => cells[at] ?? '').find((cell) => cell !== '');
  if (lost !== undefined) {
    return `${shown(lost)} stands in a column without a name. Give it one in the first row.`;
  }
  const [amount = '', next = ''] = cells.slice(header.amountAt);
  const isCut = separator === ',' && digits.test(amount) && digits.test(next);
  // A row that leaves out its last cells has room for one that is too many.
  if (!isCut || cells.length === header.width) return undefined;
  return (
    `has ${cells.length} values, but the header has ${header.width} columns, and the amount ` +
    `${shown(amount)} may go on with ${shown(next)}. Put an amount with a comma in double quotes, ` +
    `or give the row exactly ${header.width} values.`
  );
}

/** Digits on one side of the comma in an amount such as "1,500.00". */
const digits = /^\d+(\.\d+)?$/;

/** True for a value with the end of one row and the beginning of another one. */
function isOfTwoRows(cell: string, separator: string): boolean {
  return /[\r\n]/.test(cell) && cell.includes(separator) && /0x[\da-f]{40}/i.test(cell);
}

const twoRows =
  'a value holds a line break and an address, as if a double quote was left open in one row and ' +
  'closed in another one. Close it where its value ends, or take the line break out.';

function faultOf({ code, message }: CsvError): string {
  return syntaxFaults[code] ?? message;
}

const closing =
  'something stands behind a closing double quote. A quote within a value is written twice.';

const syntaxFaults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a double quote is opened here, or further down, and never closed.',
  CSV_INVALID_CLOSING_QUOTE: closing,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: closing,
  INVALID_OPENING_QUOTE:
    'a double quote stands within a value that has none around it. Quote the whole value.',
  CSV_MAX_RECORD_SIZE: `is longer than ${rowCharactersMax} characters. A double quote may be open.`,
};
