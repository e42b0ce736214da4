import type { Effect } from '../../../src/chain/effect';
import type { CustodyApi } from '../../../src/custody/endpoints';

/** The call to look for, and what its record says of it. */
export type OwnCall = {
  /** The record. Another one may claim the same transaction. */
  id: string;
  /** The transaction that the record names. */
  txHash?: string | undefined;
  sender: string;
  /** The wallet of the account. Without it, the records of all wallets are read. */
  walletId?: string | undefined;
  isSmart: boolean;
  userOpHash?: string | undefined;
  effect: Effect;
  sinceMs: number;
  /** True if this run has sent it: no transaction of it is older than `sinceMs`. */
  isSent?: boolean;
  /** When the service's final word was heard first. */
  heardMs?: number | undefined;
  /** True if the service calls it cancelled. */
  isCancelled?: boolean;
};

/** The service's records, and which of them count as payments of their own. Without it, all do. */
export type Lists = Pick<CustodyApi, 'listTransactions'> & {
  isCounted?: (transactionId: string) => Promise<boolean>;
};

/** The record of the write, and what is known of its account. */
export type CallSearch = Pick<
  OwnCall,
  'id' | 'walletId' | 'isSmart' | 'heardMs' | 'isSent' | 'isCancelled'
> & {
  /** No part of the write is older: when it or its record was made, whichever is earlier. */
  since: string;
  /** When the order first sent it or heard of it, by its own clock. */
  knownAt: string;
  /** True if nothing but the named transaction is to be read, where there is one. */
  isNamed?: boolean;
};
