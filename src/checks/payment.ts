import type { Exchange } from '../orders/exchange/exchange';

/** One payment that an order is to make. */
export type CheckedPayment = {
  /** The id of the line. A transfer has its order's id. */
  lineId: string;
  /** In lower case. */
  to: string;
  /** In the token's own units, in its shortest form. */
  amount: string;
  /** As the order names it. */
  token: string;
  /** The payee's name, where the line has one. */
  name?: string | undefined;
  /** The amount in a currency that it was made from, if any. */
  exchange?: Pick<Exchange, 'amount' | 'currency'> | undefined;
  /** The ids of its sender's message, where it came in one. No sender gives an id twice. */
  source?: object | undefined;
};

/** One payment that the account has made, or is making. */
export type Paid = {
  /** The order as people name it, such as "payout:january". */
  orderId: string;
  lineId: string;
  isPayout: boolean;
  /** In lower case. */
  to: string;
  /** In lower case. */
  sender?: string | undefined;
  amount: string;
  /** One name for all faces of a coin. */
  coin: string;
  exchange?: CheckedPayment['exchange'];
  name?: string | undefined;
  /** The digest of all lines of a payout. A page has it at least once for each payout. */
  linesDigest?: string | undefined;
  /** Undefined while its order runs. */
  atMs: number | undefined;
};

/** The payment of a transfer, as its checks see it. */
export function transferPayment(
  lineId: string,
  { to, amount, token, exchange }: Pick<CheckedPayment, 'to' | 'amount' | 'token' | 'exchange'>,
): CheckedPayment {
  return { lineId, to: to.toLowerCase(), amount, token, exchange };
}

/** The payment of a payout's line, as its checks see it. */
export function linePayment<Line extends CheckedPayment>(line: Line): Line {
  return { ...line, to: line.to.toLowerCase() };
}

/**
 * The addresses of paying wallets. Undefined if one is named by its id, since nobody knows its
 * address before the service is asked.
 */
export function addressesIn(wallets: readonly string[]): readonly string[] | undefined {
  return wallets.every((one) => one.startsWith('0x')) ? wallets : undefined;
}

/**
 * The letters and digits of a payee's name, in one form of Unicode. Two spellings of a name have
 * the same ones, such as "STRASSE" and "Straße".
 */
export function plainName(name: string): string {
  const plain = name.normalize('NFKC').toUpperCase().toLowerCase();
  return plain.replace(/[^\p{L}\p{N}\p{M}]+/gu, '') || plain;
}

type Timed = { atMs?: number | undefined };

/** The oldest first. A payment that is under way is the newest. */
export function byTime({ atMs: one = Infinity }: Timed, { atMs: other = Infinity }: Timed): number {
  return one === other ? 0 : one - other;
}

const namesMax = 5;

/** Keeps the last names, since a payee of many has its newest ones in the next order. */
export function addName(names: Map<string, string>, name: string): void {
  const plain = plainName(name);
  names.delete(plain);
  names.set(plain, name);
  const [oldest] = names.keys();
  if (names.size > namesMax && oldest !== undefined) names.delete(oldest);
}
