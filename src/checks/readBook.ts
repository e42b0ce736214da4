import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { isAddress } from 'viem';
import { parse as parseYaml } from 'yaml';
import { isRecord } from '../custody/isRecord';
import { addressFault } from '../orders/input/fields';
import { SentenceError } from '../orders/input/sentenceError';
import { shown } from '../orders/input/shown';
import { systemFault } from '../orders/input/systemFault';
import { type AddressBook, type BookEntry, makeBook } from './book';

/** The address book cannot be used. The message names the file, the entry and the fault. */
export class BookError extends SentenceError {
  override readonly name = 'BookError';
}

const fileBytesMax = 50_000_000;
const toldMax = 20;
const fields = ['name', 'address', 'networks', 'note'];

/** An entry as the file has it, and where. */
type Written = { at: string; values: Record<string, unknown> };

/**
 * Reads an address book: CSV with a header, or a YAML list of entries. An entry has a name and an
 * address, and may have networks and a note. It is left out if it names other networks alone.
 * Throws a BookError with every fault.
 */
export function readBook(path: string, blockchain: string): AddressBook {
  const bytes = bytesOf(path);
  const written = entriesIn(path, bytes.toString('utf8'));
  const faults: string[] = [];
  const placeOf = new Map<string, string>();
  const entries = written.flatMap(({ at, values }): BookEntry[] => {
    const unknown = Object.keys(values).find((field) => !fields.includes(field));
    if (unknown !== undefined) faults.push(`${at}: ${shown(unknown)} is no field of an entry`);
    const [name, address, networks] = fields.map((field) => String(values[field] ?? '').trim());
    if (!address || !isAddress(address)) {
      faults.push(`${at}: ${shown(address)} ${addressFault(address ?? '')}`);
      return [];
    }
    if (!name) faults.push(`${at}: has no name`);
    if (!isHere(networks ?? '', blockchain)) return [];
    const key = address.toLowerCase();
    const other = placeOf.get(key);
    if (other !== undefined) faults.push(`${at}: has the address of ${other}`);
    placeOf.set(key, at);
    return [{ name: name ?? '', address }];
  });
  refuse(path, faults);
  return makeBook(entries, createHash('sha256').update(bytes).digest('hex'));
}

function bytesOf(path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= fileBytesMax) return readFileSync(path);
    throw new BookError(
      `The address book ${path} has ${size} bytes, and may have ${fileBytesMax}. Leave out what ` +
        'is no longer needed.',
    );
  } catch (error) {
    const fault = systemFault(error);
    if (fault === undefined) throw error;
    throw new BookError(`The address book ${path} cannot be read: ${fault}.`);
  }
}

function entriesIn(path: string, text: string): Written[] {
  const form = extname(path).toLowerCase();
  if (form === '.csv') return rowsIn(path, text);
  if (form === '.yaml' || form === '.yml') return itemsIn(path, text);
  throw new BookError(`The address book ${path} is neither .csv nor .yaml.`);
}

function rowsIn(path: string, text: string): Written[] {
  try {
    const rows: string[][] = parseCsv(text, {
      bom: true,
      comment: '#',
      comment_no_infix: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    const [header = [], ...entries] = rows;
    const columns = header.map((name) => name.trim().toLowerCase());
    const missing = ['name', 'address'].filter((name) => !columns.includes(name));
    refuse(
      path,
      missing.map((name) => `the first row names no column ${name}`),
    );
    return entries.map((row, index) => ({
      at: `row ${index + 2}`,
      values: Object.fromEntries(columns.map((name, at) => [name, row[at]])),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BookError(`The address book ${path} is malformed: ${error.message}.`);
  }
}

function itemsIn(path: string, text: string): Written[] {
  const list = yamlIn(path, text);
  if (!Array.isArray(list)) {
    throw new BookError(
      `The address book ${path} is no list. Give entries such as - {name: Ann, address: "0x…"}.`,
    );
  }
  return list.map((item: unknown, index) => ({
    at: `entry ${index + 1}`,
    values: isRecord(item) ? item : {},
  }));
}

function yamlIn(path: string, text: string): unknown {
  try {
    // An address without quotes would be read as a number.
    return parseYaml(text, { schema: 'failsafe', logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new BookError(`The address book ${path} is malformed: ${reason.replace(/\.$/, '')}.`);
  }
}

/** True for an entry of this network, or of all of them. */
function isHere(networks: string, blockchain: string): boolean {
  const named = networks.split(/[\s,;]+/).filter(Boolean);
  return named.length === 0 || named.includes(blockchain);
}

function refuse(path: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length > toldMax ? [`and ${faults.length - toldMax} more`] : [];
  const told = [...faults.slice(0, toldMax), ...more].join('\n  ');
  throw new BookError(`The address book ${path} has faults:\n  ${told}`);
}
