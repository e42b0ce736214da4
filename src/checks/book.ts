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
  const byName = new Map<string, string[]>();
  for (const { name, address } of entries) {
    const own = address.toLowerCase();
    names.set(own, name);
    if (name === '') continue;
    const plain = plainName(name);
    byName.set(plain, [...(byName.get(plain) ?? []), own]);
  }
  return {
    digest,
    size: names.size,
    nameOf: (address) => names.get(address.toLowerCase()),
    addressesOf: (name) => byName.get(plainName(name)) ?? [],
    addresses: () => names.keys(),
  };
}

/** A book with an index of its addresses, for a process that compares again and again. */
export function withIndex(book: AddressBook): AddressBook {
  return { ...book, alike: likenessOf(book.addresses()) };
}

export const emptyBook: AddressBook = makeBook([]);
