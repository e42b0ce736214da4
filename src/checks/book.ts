import { addTo } from './addTo';
import { likenessOf } from './likeness';
import { plainName } from './payment';

/** A payee whom somebody knows. */
export type BookEntry = { name: string; address: string };

/** The payees whom somebody knows, by address and by name. Addresses are in lower case. */
export type AddressBook = {
  /** SHA-256 of the file. Undefined where there is none. */
  digest: string | undefined;
  size: number;
  /** The name of an address. Undefined for an address that is not in it. */
  nameOf(address: string): string | undefined;
  /** The addresses of a name, however it is spelled. */
  addressesOf(name: string): readonly string[];
  addresses(): Iterable<string>;
  /** Its addresses that look like one. Only a book with an index tells them. */
  alike?: (address: string) => readonly string[];
};

/** Makes a book of entries. An address has one name, and a name may have several addresses. */
export function makeBook(entries: Iterable<BookEntry>, digest?: string): AddressBook {
  const names = new Map<string, string>();
  for (const { name, address } of entries) names.set(address.toLowerCase(), name);
  let byName: ReadonlyMap<string, readonly string[]> | undefined;
  const ofName = (name: string) => {
    byName ??= byPlainName(names);
    return byName.get(plainName(name)) ?? [];
  };
  return {
    digest,
    size: names.size,
    nameOf: (address) => names.get(address.toLowerCase()),
    addressesOf: ofName,
    addresses: () => names.keys(),
  };
}

/** Made for the first name that is asked about. Most orders ask about none. */
function byPlainName(names: ReadonlyMap<string, string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [address, name] of names) {
    if (name !== '') addTo(found, plainName(name), address);
  }
  return found;
}

/** A book with an index of its addresses, for a process that compares again and again. */
export function withIndex(book: AddressBook): AddressBook {
  return { ...book, alike: likenessOf(book.addresses()) };
}

export const emptyBook: AddressBook = makeBook([]);
