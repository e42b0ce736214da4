import type { KeyParts } from '../../custody/idempotencyKey';
import type { Grounds } from '../../custody/objects/grounds';
import type { Reference } from '../../custody/reference';
import type { OrderedCall } from '../call/ordered';
import type { KeptPayment, PayeeMemory } from '../payees/payees';
import type { ClaimMemory } from './claim';
import type { DecisionMemory, SignedRequest } from './decision';
import type { MarkedLines, PaidLine } from './lines';

/** The money of a charge that is a fee. */
export const feeMoney = 'fee';

/** The money of a charge of which nobody can tell what it was. It closes every window of its scope. */
export const unreadMoney = 'unread';

/** The scope of a wallet that nobody knows. What is unread there closes every window. */
export const anyWallet = { wallet: '' } as const;

/** A sum that a charge counts in: of a wallet, a rule, a signed request, both, or what is created. */
export type Scope =
  | { wallet: string }
  | { rule: string }
  | { request: string }
  | { creates: string }
  | { ruleOf: string; request: string };

/** A part of a reservation. Amounts have the decimals of a policy. */
export type Charge = { scope: Scope; money: string; amount: bigint };

/** A rolling window that a reservation must fit into. */
export type Window = {
  rule: string;
  scope: Scope;
  money: string;
  /** Fees are paid in its money, so they count as well. */
  withFees?: boolean | undefined;
  hours: number;
  max: bigint;
  /** The rule gives no number for it. It bounds what the rule lets out, and not what others pay. */
  isUsual?: boolean | undefined;
  /** The part of the reservation that counts here. */
  amount: bigint;
  /** The signed request that it belongs to. It counts as a whole, whatever was sent of it. */
  whole?: { scope: Scope; amount: bigint } | undefined;
};

/** The sum of a window: of a money, in a scope, over so many hours. */
export type Counted = Pick<Window, 'scope' | 'money' | 'withFees' | 'hours'>;

/** A window without room for a reservation, and the moment when there will be. */
export type FullWindow = { words: string; untilMs: number | undefined };

/** A write that asks for its reservation, in the same form in each of its attempts. */
export type Reservation = {
  key: string;
  parts: KeyParts;
  /** The hash that all generations of the write share. */
  hash: string;
  /** SHA-256 of the final body. */
  body: string;
  charges: readonly Charge[];
  windows: readonly Window[];
  /** Counts from its reservation on, whatever comes of it: what was created has no end to be read. */
  made?: readonly Charge[] | undefined;
  /** The lines that a batch pays. None of them is let out in another write. */
  lines?: readonly PaidLine[] | undefined;
  /** The payments that it makes. The ledger keeps them, so that it knows who was paid. */
  payments?: readonly KeptPayment[] | undefined;
  /** The payments to its payees when they were judged. With another one it is judged again. */
  seen?: number | undefined;
  /**
   * The transaction that a cancellation or an acceleration is about: at most three each. Any other
   * write of a generation above zero needs an end without effect of the one before. Once it was
   * sent, none before it is.
   */
  about?: string | undefined;
  policy: { version: number; digest: string };
  /** The transaction that it asks for. Undefined where it asks for none. */
  call?: OrderedCall | undefined;
  /** Kept with the first attempt. Nothing is decided by them. */
  grounds: Grounds;
  /** The request that lets it out, where its order was signed. */
  request?: SignedRequest | undefined;
  /** Nobody was asked, since its key was known. So it is never reserved as a first attempt. */
  isRepeat?: boolean;
  /** People have approved this generation, whoever has rejected an earlier one. */
  isApproved?: boolean;
};

export type Reserved =
  | { kind: 'reserved' }
  /** The same body under the same key. Its reservation still counts, on its first grounds. */
  | { kind: 'repeated'; grounds: Grounds; call?: OrderedCall | undefined }
  /** The key is of another write, or of one that has ended. Some lines may hold up a batch. */
  | { kind: 'refused'; words: string; apart?: readonly number[] }
  /** It is too old to be sent again, or it has ended. Only a look-up may tell. */
  | { kind: 'lookUp'; words: string }
  /** The window of a rule is full, or a newer policy is in force. */
  | { kind: 'wait'; words: string; untilMs: number | undefined; rule?: string };

/** The end of a write as its record shows it. */
export type WriteEnd = {
  hash: string;
  generation: number;
  transactionId: string;
  /** False is proof that nothing was moved. */
  hadEffect: boolean;
  /** The fee that was paid. Undefined while it is not known. */
  fee: bigint | undefined;
};

export type OpenWrite = {
  hash: string;
  generation: number;
  transactionId: string | undefined;
  firstMs: number;
  orderId: string;
};

/** A write of which nobody knows the end: its key is too old, and it has no record. */
export type HeldWrite = {
  orderId: string;
  /** "<step>/<item>#<generation>". */
  target: string;
  firstMs: number;
  /** The part of the windows that it holds, by money. In the decimals of a policy. */
  amounts: ReadonlyMap<string, bigint>;
};

/** A record of the service that may be of somebody else's payment. */
export type Sighting = {
  transactionId: string;
  /** The write that the record names, if its reference has the form of one of ours. */
  reference: Reference | undefined;
  /** claimed: its record says that it had no effect, which proves nothing yet. */
  state: 'moving' | 'unread' | 'settled' | 'void' | 'claimed';
};

/** A payment that no write of this ledger has made. */
export type Outside = Omit<Sighting, 'state'> & {
  state: Exclude<Sighting['state'], 'claimed'>;
  /** The end that its record tells. Undefined while it is under way. */
  endMs: number | undefined;
  charges: readonly Charge[];
  /** The lines that a batch pays. None of them is sent any more. */
  lines?: MarkedLines | undefined;
  payments?: readonly KeptPayment[] | undefined;
};

/** The sum of a window: what counts in it now, and how much of that is not settled. */
export type Usage = { counted: bigint; open: bigint };

/** The state of a write in the ledger. */
export type KnownWrite = {
  state: 'open' | 'settled' | 'released' | 'unsent' | 'found' | 'burnt';
  firstMs?: number;
  attempts?: number;
  transactionId?: string;
};

/** A finding of an operator, as it was signed. */
export type SignedFinding = { person: string; statement: string; signature: string };

/** The memory of records, of payees, and of the decisions of people. */
type Memories = ClaimMemory & PayeeMemory & DecisionMemory;

/**
 * The writer's own memory: each key with its body, attempts, reservation and end. It alone decides
 * whether a key is new. A call throws a LedgerError while the ledger cannot be used.
 */
export type Ledger = Memories & {
  id: string;
  /**
   * Puts a policy in force that is newer than that of every writer before. Returns the reason why
   * another one is not in force. Its writer decides nothing.
   */
  putInForce(policy: Reservation['policy']): Promise<string | undefined>;
  /** Tells the same reason, and puts nothing in force. Undefined also for a newer policy. */
  policyFault(policy: Reservation['policy']): Promise<string | undefined>;
  /**
   * Reserves, or says why not. One transaction: writers at the same time never pass a limit. Only
   * this moves the ledger's time, to one that the service has just confirmed. Without it, the
   * ledger's clock counts.
   */
  reserve(reservation: Reservation, confirmedMs?: number): Promise<Reserved>;
  /** The service accepted the write. */
  accepted(key: string, transactionId: string): Promise<void>;
  /** The policy has refused this generation, so that a later one may be asked for. */
  refused(reference: Reference): Promise<void>;
  /** The last attempt provably had no effect. Without another attempt, the reservation ends. */
  withoutEffect(key: string): Promise<void>;
  /**
   * Settles or releases writes whose end was read. Others are left alone. Returns those that had an
   * effect although an operator or the service had said that they had none.
   */
  end(ends: readonly WriteEnd[]): Promise<readonly WriteEnd[]>;
  /**
   * Gives back the reservation of an open write, on the word of an operator. Its key is never sent
   * again, and a late record counts. Throws a LedgerError for a write that has ended, that has a
   * record, or whose key was alive when a reservation was last asked for.
   */
  found(reference: Reference, finding: SignedFinding): Promise<void>;
  /** The moment up to which the list of the account was read into it. Undefined at first. */
  readUntil(): Promise<number | undefined>;
  /**
   * The list was read back to the moment that this ledger had known, and begins with a record of
   * the newer one. Throws a LedgerError if an older copy has replaced this ledger meanwhile.
   */
  hasRead(look: { untilMs: number | undefined; newestMs: number }): Promise<void>;
  /** Those records that are of no write of this ledger, and that tell something new. */
  news<One extends Sighting>(sightings: readonly One[]): Promise<One[]>;
  /** Counts payments of others. The references of their records are burnt: never sent. */
  enter(payments: readonly Outside[]): Promise<void>;
  /** The transactions of payments of others that have not ended. */
  movingOutside(max: number): Promise<string[]>;
  known(reference: Reference): Promise<KnownWrite | undefined>;
  /** The settled batch of a payout that has paid the line of a mark, by its transaction. */
  settledBatch(workflowId: string, mark: string): Promise<string | undefined>;
  /** The chain has proven that payments of a settled batch failed alone. Their sums are free. */
  unpaid(transactionId: string, marks: readonly string[]): Promise<void>;
  /** The writes whose end is to be read. With `withFound`, also what may come late. */
  openWrites(max: number, how?: { withFound?: boolean }): Promise<OpenWrite[]>;
  /** The writes that operators may release, oldest first. */
  heldWrites(max: number): Promise<HeldWrite[]>;
  usage(window: Counted): Promise<Usage>;
  /** The part of a window's sum that others have paid. */
  outside(window: Counted): Promise<Usage>;
  /** Undefined while the window has room. Reserves nothing. */
  full(window: Window): Promise<FullWindow | undefined>;
  /** The grounds of a write with the ledger's signature, for whoever reads them later. */
  seal(key: string, grounds: Grounds): Grounds;
  /** Waits for the work that is under way. */
  close(): Promise<void>;
};

/** The ledger is locked, full or damaged. Nothing was reserved. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}
