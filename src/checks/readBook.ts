import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { networks as ownNetworks } from '../custody/networks/networks';
import { blockchainNames } from '../custody/objects/blockchain';
import { addressFault, isAddressText } from '../orders/input/fields';
import { SentenceError } from '../orders/input/sentenceError';
import { shown } from '../orders/input/shown';
import { type AddressBook, type BookEntry, makeBook } from './book';
import {
  bytesOf,
  eachEntry,
  hiddenFault,
  hiddenRows,
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
  const text = textIn(file, bytes);
  const rows = isCsv(path) ? hiddenRows(text) : [];
  const faults = rows.map((row) => `row ${row}: ${hiddenFault}.`);
  const placeOf = new Map<string, string>();
  const entries: BookEntry[] = [];
  eachIn(file, text, ({ at, values }) => {
    const unknown = Object.keys(values).find((field) => !fields.includes(field));
    if (unknown !== undefined) faults.push(`${at}: ${shown(unknown)} is no field of an entry.`);
    const [name = '', address = '', networks = ''] = fields.map((field) =>
      String(values[field] ?? '').trim(),
    );
    const wrong = entryFaults({ name, address, networks }, blockchain);
    faults.push(...wrong.map((fault) => `${at}: ${fault}.`));
    if (wrong.length > 0 || !isOf(networks, blockchain)) return;
    const key = address.toLowerCase();
    const other = placeOf.get(key);
    if (other !== undefined) faults.push(`${at}: has the address of ${other}. Leave one.`);
    placeOf.set(key, at);
    entries.push({ name, address: key });
  });
  refuseFaults(file, faults);
  return makeBook(entries, createHash('sha256').update(bytes).digest('hex'));
}

function isCsv(path: string): boolean {
  return extname(path).toLowerCase() === '.csv';
}

function eachIn(file: ListFile, text: string, see: (entry: Written) => void): void {
  const form = extname(file.path).toLowerCase();
  if (isCsv(file.path)) eachEntry(file, { text, needed: ['name', 'address'] }, see);
  else if (form === '.yaml' || form === '.yml') itemsIn(file, text, wayToList).forEach(see);
  else throw new BookError(`${file.lead} is neither .csv nor .yaml.`);
}

const wayToList = 'Give entries such as - {name: Ann, address: "0x…"}.';

function entryFaults(
  { name, address, networks }: BookEntry & { networks: string },
  blockchain: string,
): string[] {
  const strange = namesIn(networks).find((one) => !knownNetworks.has(plainNetwork(one)));
  return [
    ...(isAddressText(address) ? [] : [`${shown(address)} ${addressFault(address)}`]),
    ...(name === '' ? ['has no name'] : []),
    ...(/[\p{Cc}\u2028\u2029]/u.test(name) ? [`${shown(name)} ${controlled}`] : []),
    ...(strange === undefined
      ? []
      : [`${shown(strange)} is no network. Name one such as ${blockchain}`]),
  ];
}

const controlled = 'has a line break or another control character. Write it on one line';

/** True for an entry of all networks, and for one that names this one. */
function isOf(networks: string, blockchain: string): boolean {
  const named = namesIn(networks);
  return named.length === 0 || named.some((one) => plainNetwork(one) === plainNetwork(blockchain));
}

/** The networks of an entry. None for an entry of all networks. */
function namesIn(networks: string): string[] {
  return networks.split(/[\s,;]+/).filter(Boolean);
}

/** The name of a network without what two spellings of it differ in. */
function plainNetwork(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

const knownNetworks = new Set(
  [...blockchainNames, ...Object.keys(ownNetworks)].map((name) => plainNetwork(name)),
);
