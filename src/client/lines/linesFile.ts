import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import type { Decimals } from '../../orders/exchange/eitherFault';
import { InputError } from '../../orders/input/inputError';
import { messageOf } from '../../orders/input/systemFault';
import type { FileReading } from './columns';
import { csvHead } from './csv/csvHead';
import { readCsv } from './csv/readCsv';
import { readPain001 } from './pain001/readPain001';
import { readJsonLines, readJsonList } from './readJson';
import type { FileRow } from './row';

/** A file of lines in a form that can be read. */
export type LinesFile = {
  path: string;
  reading: FileReading;
  /** The mark before the decimals of its amounts. */
  decimals: Decimals;
  /** The character between the values of a CSV file. */
  separator?: string;
  /** Reads the file from its beginning each time. */
  rows(): AsyncIterable<FileRow>;
};

/** The longest header, with a title above it. */
const headBytes = 4_096;

const forms = ['.csv', '.tsv', '.jsonl', '.ndjson', '.json', '.xml'];

/** True for a file that holds lines, and no order. A .json of lines is a list. */
export function isOfLines(path: string): boolean {
  const form = extname(path).toLowerCase();
  if (form !== '.json') return forms.includes(form);
  return existsSync(path) && /^\ufeff?\s*\[/.test(headOf(path).toString('utf8'));
}

/** Opens a file of lines and detects its form. Throws an InputError for any other file. */
export function openLines(path: string, reading: FileReading): LinesFile {
  const form = extname(path).toLowerCase();
  if (!forms.includes(form)) {
    const isWorkbook = ['.xlsx', '.xls', '.ods', '.numbers'].includes(form);
    throw new InputError(
      `FILE: ${path} is ${isWorkbook ? 'a workbook' : 'neither .csv, .jsonl, .json nor .xml'}. ` +
        (isWorkbook ? 'Export it as CSV (UTF-8).' : 'Name it after its form.'),
    );
  }
  const head = headOf(path);
  refuseDisguised(path, head);
  const file = { path, reading };
  if (form === '.xml') {
    return { ...file, decimals: 'point', rows: () => readPain001(path, reading) };
  }
  if (isWide(head)) {
    const wanted = ['.csv', '.tsv'].includes(form) ? 'CSV UTF-8' : 'UTF-8';
    throw new InputError(`FILE: ${path} is UTF-16. Save it again as ${wanted}.`);
  }
  if (form === '.json') return { ...file, decimals: 'unknown', rows: () => readJsonList(path) };
  if (['.jsonl', '.ndjson'].includes(form)) {
    return { ...file, decimals: 'unknown', rows: () => readJsonLines(path) };
  }
  const { separator, titles } = csvHead(head.toString('utf8'), reading);
  // Spreadsheets separate with them where commas are before decimals, or whatever the locale.
  const decimals = [';', '\t'].includes(separator) ? 'comma' : 'unknown';
  return {
    ...file,
    decimals,
    separator,
    rows: () => readCsv(path, { separator, titles, reading }),
  };
}

/** The first bytes of a file. Refuses one that cannot be read twice, such as a pipe. */
function headOf(path: string): Buffer {
  const head = Buffer.alloc(headBytes);
  try {
    if (!statSync(path).isFile()) {
      throw new InputError(`FILE: ${path} is not a file. It is read twice, so it has to be one.`);
    }
    const file = openSync(path, 'r');
    const bytes = readSync(file, head);
    closeSync(file);
    return head.subarray(0, bytes);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`FILE: ${path} cannot be read: ${messageOf(error)}.`);
  }
}

const disguises = [
  { lead: 'PK\x03\x04', what: 'a workbook or a ZIP archive', way: 'Export it as CSV UTF-8.' },
  { lead: '\xd0\xcf\x11\xe0', what: 'a workbook of Excel', way: 'Export it as CSV UTF-8.' },
  { lead: '\x1f\x8b', what: 'compressed (gzip)', way: 'Unpack it first.' },
  { lead: '%PDF', what: 'a PDF', way: 'Export the table as CSV UTF-8.' },
] as const;

/** Refuses a file of another form than its name says. */
function refuseDisguised(path: string, head: Buffer): void {
  const text = head.toString('latin1', 0, 4);
  const found = disguises.find(({ lead }) => text.startsWith(lead));
  if (found === undefined) return;
  throw new InputError(`FILE: ${path} is ${found.what}, whatever its name says. ${found.way}`);
}

/** True for UTF-16, with its mark or without: half of its bytes are zero. */
function isWide(head: Buffer): boolean {
  if (head.length < 2) return false;
  return [0xfffe, 0xfeff].includes(head.readUInt16BE(0)) || head.includes(0);
}
