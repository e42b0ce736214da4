import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { InputError } from '../exit';
import { readCsv } from './readCsv';
import { readJsonLines, readJsonList } from './readJson';
import type { Row } from './row';

/** A file of lines that is there, and in one of the forms that can be read. */
export type LinesFile = {
  path: string;
  /** The token of lines that name none. */
  token: string | undefined;
  /** Columns that are left alone. */
  ignored: ReadonlySet<string>;
  /** Whether values stand between semicolons, as where a comma is in numbers. */
  isEuropean: boolean;
  /** From its beginning, each time. */
  rows(): AsyncIterable<Row>;
};

const separators = [';', '\t'] as const;
/** A header is no longer. */
const headBytes = 4_096;

const forms = ['.csv', '.tsv', '.jsonl', '.ndjson', '.json'];

/** Whether a file is one of lines alone, which no order can be read from. */
export function isOfLines(path: string): boolean {
  const form = extname(path).toLowerCase();
  return forms.includes(form) && form !== '.json';
}

/** Finds a file of lines, and what its form is; throws an InputError where it is none. */
export function openLines(
  path: string,
  options: { token: string | undefined; ignored: ReadonlySet<string> },
): LinesFile {
  const form = extname(path).toLowerCase();
  if (!forms.includes(form)) {
    const isWorkbook = ['.xlsx', '.xls', '.ods', '.numbers'].includes(form);
    throw new InputError(
      `FILE: ${path} is ${isWorkbook ? 'a workbook' : 'neither .csv, .jsonl nor .json'}. ` +
        (isWorkbook ? 'Export it as CSV (UTF-8).' : 'Name it after its form.'),
    );
  }
  const separator = separatorOf(headOf(path));
  const { token, ignored } = options;
  const readers: Readonly<Record<string, () => AsyncIterable<Row>>> = {
    '.json': () => readJsonList(path),
    '.jsonl': () => readJsonLines(path),
    '.ndjson': () => readJsonLines(path),
  };
  const csv = () => readCsv(path, { separator, ignored, hasToken: token !== undefined });
  const isEuropean = readers[form] === undefined && separator === ';';
  return { path, token, ignored, isEuropean, rows: readers[form] ?? csv };
}

/** No name of a column holds one, so that the header tells what stands between values. */
function separatorOf(head: string): string {
  const [header = ''] = head.trimStart().split(/[\r\n]/);
  return separators.find((separator) => header.includes(separator)) ?? ',';
}

/** The beginning of a file that can be read twice: to check it, and to hand it over. */
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`FILE: ${path} cannot be read: ${reason}.`);
  }
  const isWide = bytes > 1 && [0xfffe, 0xfeff].includes(head.readUInt16BE(0));
  if (isWide) throw new InputError(`FILE: ${path} is UTF-16. Save it anew as CSV UTF-8.`);
  return head.subarray(0, bytes).toString('utf8');
}
