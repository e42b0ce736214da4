import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { InputError, messageOf } from '../exit';
import type { Row } from './columns';
import { readCsv } from './readCsv';
import { readJsonLines, readJsonList } from './readJson';
import { readPain001 } from './readPain001';

/** A file of lines in a form that can be read. */
export type LinesFile = {
  path: string;
  /** The token of lines that name none. */
  token: string | undefined;
  /** Columns to ignore. */
  ignored: ReadonlySet<string>;
  /** True when semicolons separate values, as where numbers have a decimal comma. */
  isEuropean: boolean;
  /** Reads the file from its beginning each time. */
  rows(): AsyncIterable<Row>;
};

const separators = [';', '\t'] as const;
/** The longest header. */
const headBytes = 4_096;

const forms = ['.csv', '.tsv', '.jsonl', '.ndjson', '.json', '.xml'];

/** True for a file that can hold lines, but no order. */
export function isOfLines(path: string): boolean {
  const form = extname(path).toLowerCase();
  return forms.includes(form) && form !== '.json';
}

/** Opens a file of lines and detects its form. Throws an InputError for any other file. */
export function openLines(
  path: string,
  options: { token: string | undefined; ignored: ReadonlySet<string> },
): LinesFile {
  const form = extname(path).toLowerCase();
  if (!forms.includes(form)) {
    const isWorkbook = ['.xlsx', '.xls', '.ods', '.numbers'].includes(form);
    throw new InputError(
      `FILE: ${path} is ${isWorkbook ? 'a workbook' : 'neither .csv, .jsonl, .json nor .xml'}. ` +
        (isWorkbook ? 'Export it as CSV (UTF-8).' : 'Name it after its form.'),
    );
  }
  const separator = separatorOf(headOf(path));
  const { token, ignored } = options;
  const readers: Readonly<Record<string, () => AsyncIterable<Row>>> = {
    '.json': () => readJsonList(path),
    '.jsonl': () => readJsonLines(path),
    '.ndjson': () => readJsonLines(path),
    '.xml': () => readPain001(path, { token }),
  };
  const csv = () => readCsv(path, { separator, ignored, hasToken: token !== undefined });
  const isEuropean = readers[form] === undefined && separator === ';';
  return { path, token, ignored, isEuropean, rows: readers[form] ?? csv };
}

/** Detects the separator in the header, since no column name contains one. */
function separatorOf(head: string): string {
  const [header = ''] = head.trimStart().split(/[\r\n]/);
  return separators.find((separator) => header.includes(separator)) ?? ',';
}

/** The first bytes of a file. Refuses one that cannot be read twice, such as a pipe. */
function headOf(path: string): string {
  const head = Buffer.alloc(headBytes);
  let bytes: number;
  try {
    if (!statSync(path).isFile()) {
      throw new InputError(`FILE: ${path} is not a file. It is read twice, so it has to be one.`);
    }
    const file = openSync(path, 'r');
    bytes = readSync(file, head);
    closeSync(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`FILE: ${path} cannot be read: ${messageOf(error)}.`);
  }
  const isWide = bytes > 1 && [0xfffe, 0xfeff].includes(head.readUInt16BE(0));
  if (isWide) throw new InputError(`FILE: ${path} is UTF-16. Save it again as CSV UTF-8.`);
  return head.subarray(0, bytes).toString('utf8');
}
