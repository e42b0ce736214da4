import type { KeyParts } from '../../custody/idempotencyKey';

/** A person's rejection, once its signature was verified. */
export type Rejection = {
  parts: KeyParts;
  /** True if it rejects all lines of the payout, and not this write alone. */
  isOfAll: boolean;
  person: string;
  signature: string;
};

/** An assertion of a passkey, as a ledger remembers it. */
export type KeptAssertion = { publicKey: string; challenge: string };

/** The request behind a write. A schedule's request names the start of its orders' ids. */
export type SignedRequest = {
  /** The order that the write is of. */
  workflowId: string;
  /** The order that the request names. */
  order: string;
  /** The schedule of its period, if it is for one period alone. */
  schedule?: string | undefined;
  person: string;
  /** The key that has signed it. A policy may give it to another person, or to another name. */
  publicKey: string;
  signedMs: number;
  /** The line that a write of a payout pays alone. */
  lineId?: string | undefined;
};

/**
 * A signer withdraws all requests for an order that they have signed up to a moment, or what these
 * say of some lines.
 */
export type Withdrawal = {
  order: string;
  lines?: readonly string[] | undefined;
  /** All keys of the signer. */
  publicKeys: readonly string[];
  /** The name of the signer, who may get another key later. */
  person?: string | undefined;
  untilMs: number;
  signature: string;
  /** The digest of its statement, and the key that has signed it. */
  digest: string;
  publicKey: string;
};

/** The ledger's memory of the decisions of people. */
export type DecisionMemory = {
  /** Keeps a rejection for ever: `reserve` refuses what it stands against. */
  reject(rejection: Rejection): Promise<void>;
  /** The rejection that stands against a write, as a sentence. An approval lifts an older one. */
  rejected(parts: KeyParts, how: { isApproved: boolean }): Promise<string | undefined>;
  /**
   * Keeps a withdrawal for ever: `reserve` refuses the first attempt of what it stands against.
   * Returns the moment up to which it reaches. A repetition reaches no further than the first time.
   */
  withdraw(withdrawal: Withdrawal): Promise<number>;
  /** The withdrawal that stands against a request, as a sentence. */
  withdrawn(request: SignedRequest): Promise<string | undefined>;
  /** Keeps an assertion of a passkey for ever. */
  keepAssertion(assertion: KeptAssertion): Promise<void>;
  /** True for an assertion that was kept. */
  hasAssertion(assertion: KeptAssertion): Promise<boolean>;
};
