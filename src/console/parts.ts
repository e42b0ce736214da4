import type { AddressBook } from '../checks/book';
import type { Steadfast } from '../client/client';
import type { RequestSigning } from '../client/options';
import type { Policy } from '../writer/file/policy';
import type { ConsoleConfig } from './config';
import type { Invitations } from './invite/invitations';
import type { AccountWatch } from './watch/watching';

/** The parts of a console. None of them is a secret of the service. */
export type ConsoleParts = Pick<
  ConsoleConfig,
  'origin' | 'entity' | 'blockchain' | 'store' | 'temporalUi'
> & {
  namespace: string;
  /** Stands before the ids of all orders. Empty where nothing does. */
  keyScope: string;
  /** True for an order of the console's key scope. Orders of others have no name here. */
  isOwn: (workflowId: string) => boolean;
  /** Signs nothing. */
  steadfast: Steadfast;
  /** The same client with the signature of a person. */
  steadfastWith: (signing: RequestSigning) => Steadfast;
  /** The moment up to which the request of an order counts. Undefined where nobody tells it. */
  countsUntil: (id: string) => Promise<string | undefined>;
  invitations: Invitations;
  /** The policy of now. */
  policy: () => Policy;
  /** The address book of now. */
  book: () => AddressBook;
  /** The account, its books and its workers, as pages show them. */
  watch: AccountWatch;
};
