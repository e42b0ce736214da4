import type { AddressBook } from '../../checks/book';
import type { Policy } from './policy';

/** The name of an address in the address book, or in a group of the policy. */
export type NameOf = (address: string) => string | undefined;

/** Knows the names of a book, and of the groups that the limits of a policy pay. */
export function namesOf(
  { nameOf }: Pick<AddressBook, 'nameOf'>,
  { limits }: Pick<Policy, 'limits'>,
): NameOf {
  return (address) => {
    const known = nameOf(address);
    if (known) return known;
    const key = address.toLowerCase();
    for (const { to } of limits) {
      const name = to === 'anyone' ? undefined : to.get(key);
      if (name) return name;
    }
    return undefined;
  };
}
