import { checkWithPaid } from '../../books/archive/checkWithPaid';
import { pacedReads } from '../../books/records/readRecords';
import { type AddressBook, emptyBook } from '../../checks/book';
import type { Checked } from '../../checks/check';
import type { CheckedPayments } from '../../checks/gather';
import { type OpenPaid, openPayments } from '../../checks/openPayments';
import { readBook } from '../../checks/readBook';
import { networkNamed, readCustodyConfig } from '../../config';
import { openIndex } from '../../store/index/openIndex';
import { isPostgres } from '../../store/place';
import { withSecrets } from '../../variables';
import type { Call } from '../call';
import { InputError, sentenceOf } from '../exit';
import { reachService } from '../reachService';
import { tellFindings } from './tellChecked';

/** The place to say what is left out, and the days within which a payment like one is told. */
type Looking = Pick<Call, 'terminal' | 'voice'> & { days?: number | undefined };

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
  order: CheckedPayments,
  book: AddressBook,
  { terminal, voice, days }: Looking,
): Promise<Checked> {
  const { STEADFAST_STORE: store } = withSecrets(['STEADFAST_STORE'], terminal.env);
  const open = await openIn(order, store, { terminal, voice, days });
  const { checked, fault } = await checkWithPaid(order, { book, store, open, days });
  if (fault !== undefined) voice.note(`What was paid before is not looked at. ${fault}`);
  return checked;
}

/**
 * The payments of orders that run, from the index of the account beside the archive. Undefined
 * where there is none, or where the service is not set.
 */
async function openIn(
  order: CheckedPayments,
  store: string | undefined,
  { terminal, voice, days }: Looking,
): Promise<OpenPaid[] | undefined> {
  const { CUSTODY_BASE_URL: service } = terminal.env;
  if (!service || !store || isPostgres(store)) return undefined;
  try {
    const custody = pacedReads(reachService(terminal).api);
    const index = openIndex(custody, readCustodyConfig(terminal.env, { signs: false }), store);
    return await openPayments({ index, custody }, { ...order, days, nowMs: Date.now() });
  } catch (error) {
    voice.note(`Payments of orders that run are not looked at. ${sentenceOf(error)}`);
    return undefined;
  }
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
