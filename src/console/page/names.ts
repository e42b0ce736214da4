import { getAddress } from 'viem';
import type { AddressBook } from '../../checks/book';
import type { Policy } from '../../writer/file/policy';
import { type Html, html, type Part } from './html';

/** The name of an address in the address book, or in a group of the policy. */
export type NameOf = (address: string) => string | undefined;

/** Knows the names of a book and of a policy. */
export function namesOf(book: AddressBook, { limits }: Policy): NameOf {
  return (address) => {
    const known = book.nameOf(address);
    if (known) return known;
    const key = address.toLowerCase();
    for (const { to } of limits) {
      const name = to === 'anyone' ? undefined : to.get(key);
      if (name) return name;
    }
    return undefined;
  };
}

/** True for the text of an address. */
export function isAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text);
}

/** An address in full, with its checksum. Any other text as it is. */
export function wholeAddress(address: string): string {
  return isAddress(address) ? getAddress(address) : address;
}

/** A value of a statement: an address in full with its name, and anything else as it is. */
export function inFull(value: string, nameOf: NameOf): Part {
  return isAddress(value) ? addressed(value, nameOf) : value;
}

/** An address in full, with its name. */
export function addressed(address: string, nameOf: NameOf): Html {
  const name = nameOf(address);
  const who = name === undefined ? html`<em class="warn">no name known</em>` : html`<b>${name}</b>`;
  return html`<code>${wholeAddress(address)}</code> ${who}`;
}
