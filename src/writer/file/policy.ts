import type { CheckId } from '../../checks/checks';
import type { OrderKind } from '../../orders/kinds';

/** Amounts of every token are counted in these decimals, so that they can be summed. */
export const policyDecimals = 18;

/** A name for each money. On Arc, USDC and the native coin are one: `native`. */
export type PolicyMoney = string;

/** Addresses in lower case, or anyone. */
export type Recipients = 'anyone' | ReadonlyMap<string, string>;

/** A call that a rule names: the contract in lower case, and the signature of the function. */
export type NamedCall = { contract: string; signature: string; selector: string };

/** Lets money out. */
export type Limit = {
  id: string;
  orders: ReadonlySet<OrderKind>;
  /** Ids and addresses of wallets, in lower case. */
  wallets: ReadonlySet<string>;
  money: ReadonlySet<PolicyMoney>;
  to: Recipients;
  calls: readonly NamedCall[];
  perTransfer: bigint | undefined;
  /** Fees count in it as well, if it is of the money that they are paid in. */
  perWindow: { amount: bigint; hours: number; over: 'wallet' | 'rule' } | undefined;
  /** Undefined where fees count in perWindow alone. Usual: the rule gives no number of its own. */
  maxFee: { amount: bigint; hours: number; over: 'wallet' | 'rule'; isUsual: boolean } | undefined;
  signedBy: string | undefined;
  beyond: string | undefined;
};

/** Asks people. If several apply, the one with the highest amount counts. */
export type Approval = {
  id: string;
  above: bigint;
  /**
   * Each money is summed over so many hours, of all that the policy lets out. Undefined: the amount
   * of one order counts.
   */
  hours: number | undefined;
  need: number;
  of: string;
  /** Hours for which a signature counts. */
  within: number;
  /** The only kind of key that counts. Undefined: any. */
  with: 'ssh' | 'passkey' | undefined;
};

/** Stops what it matches. A part that is undefined matches everything. */
export type Deny = {
  id: string;
  orders: ReadonlySet<OrderKind> | undefined;
  wallets: ReadonlySet<string> | undefined;
  money: ReadonlySet<PolicyMoney> | undefined;
  to: Recipients | undefined;
};

/** The source of a verdict about an address. */
type ScreenSource =
  /** A list that the operator keeps, and that counts for so many hours after its last change. */
  | { kind: 'list'; path: string; hours: number }
  /** The block list of the token itself, on chain. */
  | { kind: 'token' }
  /** The screening of the service. */
  | { kind: 'service' }
  | { kind: 'url'; url: string };

/** Asks about each recipient before the first attempt of a write. */
export type Screen = {
  id: string;
  by: ScreenSource;
  /** The approval that decides where the answer is `review`. Undefined: it is refused. */
  beyond: string | undefined;
};

/** Compares each payment with what is known of its payee. Without orders or wallets, of all. */
export type CheckRule = {
  id: string;
  orders: ReadonlySet<OrderKind> | undefined;
  wallets: ReadonlySet<string> | undefined;
  /** True for a check of which people decide. What the others find is refused. */
  checks: ReadonlyMap<CheckId, boolean>;
  /** The approval that decides. Undefined where no check asks for one. */
  beyond: string | undefined;
};

/** A policy that was read and checked as a whole. */
export type Policy = {
  version: number;
  /** SHA-256 of all that it says, with the lines of its address files. */
  digest: string;
  /** Public keys by person. */
  people: ReadonlyMap<string, readonly string[]>;
  /** The passkeys of persons who sign in to the console. They are no part of the digest. */
  signIn: ReadonlyMap<string, readonly string[]>;
  /** People by group. Groups of addresses are in the rules. */
  groups: ReadonlyMap<string, readonly string[]>;
  /** Addresses of the tokens that rules name, by their money. Empty for the native coin. */
  tokens: ReadonlyMap<string, PolicyMoney>;
  limits: readonly Limit[];
  approvals: readonly Approval[];
  denials: readonly Deny[];
  screens: readonly Screen[];
  checks: readonly CheckRule[];
  /** The largest numbers of what is created in so many hours. Creating needs no rule. */
  creates: { walletSets: number; wallets: number; hours: number };
};
