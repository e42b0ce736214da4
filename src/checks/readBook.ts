import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { isAddress } from 'viem';
import { blockchainNames } from '../custody/objects/blockchain';
import { networks as ownNetworks } from '../networks/networks';
import { addressFault } from '../orders/input/fields';
import { SentenceError } from '../orders/input/sentenceError';
import { shown } from '../orders/input/shown';
import { type AddressBook, type BookEntry, makeBook } from './book';
import {
  bytesOf,
  filledRows,
  itemsIn,
  type ListFile,
  refuseFaults,
  textIn,
  type Written,
} from './listFile';

/** The address book cannot be used. The message names the file, the entry and the fault. */
export class BookError extends SentenceError {
  override readonly name = 'BookError';
}

const fileBytesMax = 50_000_000;
const fields = ['name', 'address', 'networks', 'note'];

/**
 * Reads an address book: CSV with a header, or a YAML list of entries. An entry has a name and an
 * address, and may have networks and a note. It is left out if it names other networks alone.
 * Throws a BookError with every fault.
 */
export function readBook(path: string, blockchain: string): AddressBook {
  const file = { path, lead: `The address book ${path}`, Fault: BookError };
  const way = 'Leave out what is no longer needed.';
  const bytes = bytesOf(file, { bytesMax: fileBytesMax, way });
  const written = entriesIn(file, textIn(file, bytes));
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
    const named = namesIn(networks);
    const strange = named.find((one) => !knownNetworks.has(plainNetwork(one)));
    if (strange !== undefined) {
      faults.push(`${at}: ${shown(strange)} is no network. Name one such as ${blockchain}`);
    }
    const isHere = named.some((one) => plainNetwork(one) === plainNetwork(blockchain));
    if (named.length > 0 && !isHere) return [];
    const key = address.toLowerCase();
    const other = placeOf.get(key);
    if (other !== undefined) faults.push(`${at}: has the address of ${other}`);
    placeOf.set(key, at);
    return [{ name: name ?? '', address }];
  });
  refuseFaults(file, faults);
  return makeBook(entries, createHash('sha256').update(bytes).digest('hex'));
}

function entriesIn(file: ListFile, text: string): Written[] {
  const form = extname(file.path).toLowerCase();
  if (form === '.csv') return rowsIn(file, text);
  if (form === '.yaml' || form === '.yml') return itemsIn(file, text, wayToList);
  throw new BookError(`${file.lead} is neither .csv nor .yaml.`);
}

const wayToList = 'Give entries such as - {name: Ann, address: "0x…"}.';

function rowsIn(file: ListFile, text: string): Written[] {
  const [header, ...entries] = filledRows(file, text);
  const columns = (header?.cells ?? []).map((name) => name.toLowerCase());
  const missing = ['name', 'address'].filter((name) => !columns.includes(name));
  refuseFaults(
    file,
    missing.map((name) => `the first row names no column ${name}`),
  );
  return entries.map(({ cells, row }) => ({
    at: `row ${row}`,
    values: Object.fromEntries(columns.map((name, at) => [name, cells[at]])),
  }));
}

/** The networks of an entry. None for an entry of all networks. */
function namesIn(networks = ''): string[] {
  return networks.split(/[\s,;]+/).filter(Boolean);
}

/** The name of a network without what two spellings of it differ in. */
function plainNetwork(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

const knownNetworks = new Set(
  [...blockchainNames, ...Object.keys(ownNetworks)].map((name) => plainNetwork(name)),
);
