import type { KeyParts } from '../../custody/idempotencyKey';
import type { Reference } from '../../custody/reference';
import type { OrderedCall } from '../call/ordered';

/** The word of a record. Another word than before counts from now on. */
export type Heard = { transactionId: string; claimsNoEffect: boolean; isFinal: boolean };

/** A word of the service that says that a transaction had no effect. */
export type Claim = {
  transactionId: string;
  /** Time for which the record has said this without a change. */
  ageMs: number;
  /** The write of this ledger that it is about. Undefined for a payment of somebody else. */
  own?: Reference & { firstMs: number; call: OrderedCall | undefined };
};

/** An attempt at a write, or at the lines of a batch. */
export type Attempt = {
  hash: string;
  parts: KeyParts;
  lines?: readonly { lineId: string; generation: number }[] | undefined;
};

/** The ledger's memory of records, and of their words that prove nothing yet. */
export type ClaimMemory = {
  /** The service has these records, whatever their state. Writes without an answer learn of it. */
  seen(records: readonly (Reference & { transactionId: string })[]): Promise<void>;
  /** The writes that these transactions are of, as far as the ledger knows. */
  ownOf(transactionIds: readonly string[]): Promise<ReadonlyMap<string, Reference>>;
  /** Notes the words of records, and since when each claim has stood. */
  hear(words: readonly Heard[]): Promise<void>;
  claim(transactionId: string): Promise<Claim | undefined>;
  /** The chain was asked about a claim. */
  claimAsked(transactionId: string): Promise<void>;
  /**
   * The transactions whose claims are to be proven: each once, and again when its claim is so old.
   * With `withinMs`, all of that time, also those that were believed.
   */
  claims(max: number, how: { graceMs: number } | { withinMs: number }): Promise<string[]>;
  /** The transactions of earlier attempts at a write, or at the lines of a batch, that are open. */
  openBefore(attempt: Attempt): Promise<string[]>;
  /** True for a transaction that counts in windows, as a write's or as somebody else's. */
  isCounted(transactionId: string): Promise<boolean>;
  /** The transaction that a write has asked for, by the id that the service gave it. */
  orderedAs(transactionId: string): Promise<OrderedCall | undefined>;
};
