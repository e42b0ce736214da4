import { checkWithPaid } from '../../books/archive/checkWithPaid';
import { type AddressBook, emptyBook } from '../../checks/book';
import type { Checked } from '../../checks/check';
import type { Order } from '../../checks/gather';
import { readBook } from '../../checks/readBook';
import { networkNamed } from '../../config';
import { withSecrets } from '../../variables';
import type { Call } from '../call';
import { InputError } from '../exit';
import { tellFindings } from './tellChecked';

/** The address book that the environment names. Empty without one. Throws a BookError. */
export function bookIn(env: NodeJS.ProcessEnv): AddressBook {
  const { STEADFAST_ADDRESS_BOOK: path } = env;
  return path ? readBook(path, networkNamed(env)) : emptyBook;
}

/**
 * Runs the checks on an order, with an address book and the archive that the environment names.
 * Where the archive cannot be read, the checks that need it are left out, and a note says so.
 */
export async function checkOrder(
  order: Order,
  book: AddressBook,
  { terminal: { env }, voice }: Pick<Call, 'terminal' | 'voice'>,
): Promise<Checked> {
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], env);
  const { checked, fault } = await checkWithPaid(order, { book, store });
  if (fault !== undefined) voice.note(`What was paid before is not looked at. ${fault}`);
  return checked;
}

/** Refuses an order about which the checks have found something. */
export function refuseFindings(checked: Checked, flag: string): void {
  if (checked.findings.length === 0) return;
  throw new InputError(
    [
      `${flag}: the checks have found something:`,
      ...tellFindings(checked),
      `Correct it, or leave ${flag} out if all of it is meant.`,
    ].join('\n  '),
  );
}
