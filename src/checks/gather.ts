import { toBaseUnits } from '../custody/objects/amount';
import { finest } from '../orders/payout/tally';
import type { AddressBook } from './book';
import { coinOf } from './coinOf';
import { likenessOf } from './likeness';
import { addName, byTime, type CheckedPayment, type Paid, plainName } from './payment';

/** The payments that are to be checked. */
export type CheckedPayments = {
  /** Its own earlier payments are no others. */
  orderId?: string | undefined;
  payments: readonly CheckedPayment[];
  /**
   * Addresses of the account's own wallets: the paying ones, and others that are known. Undefined
   * if nobody knows them here.
   */
  wallets?: readonly string[] | undefined;
};

/** A payment like one of the order, and when it was made. Undefined: it is under way. */
export type Earlier = { orderId: string; atMs: number | undefined };

/** All that is known of one payee of the order. */
export type Payee = {
  /** The number of payments that it got. */
  times: number;
  /** The largest and the smallest of them, by coin, in the finest units. */
  amounts: Map<string, { times: number; least: bigint; most: bigint }>;
  /** The last names under which it was paid, each in plain letters and as it was written. */
  names: Map<string, string>;
  /** Known addresses that look like it. */
  like: Set<string>;
  /** The last payment of each amount and coin in the last days. */
  same: Map<string, Earlier>;
};

/** An earlier payout beside the order. */
export type Run = Earlier & {
  lines: number;
  /** Lines to payees of the order, and those that have the same payment and the same id. */
  known: number;
  sameIds: number;
  /** Lines of a message, which are there with the same payment and the same id. */
  sentAgain: number;
  /** Its payments of the last days that the order has too, each counted once in both. */
  same: number;
  /** The number of its payments, by the words for what each has paid. */
  counts: Map<string, number>;
  /** Lines with an id of the order, whatever they pay. */
  ids: number;
  /** The digest of all its lines, where a receipt names it. */
  linesDigest?: string | undefined;
  totals: Map<string, bigint>;
};

/** All that is known of the payees of an order, from the book and from what was paid. */
export type Known = {
  book: AddressBook;
  days: number;
  nowMs: number;
  /** The account's own wallets: the given ones, and all that have paid somebody. */
  wallets: ReadonlySet<string>;
  /** True if somebody has told own wallets or payments. */
  hasWallets: boolean;
  payee(address: string): Payee;
  /** Addresses that were paid under a name. */
  paidAs(name: string): ReadonlySet<string>;
  runs: readonly Run[];
  /** The number of payments that were looked at. Undefined where nobody tells what was paid. */
  payments: number | undefined;
};

export const dayMs = 86_400_000;

/** The number of payouts that are kept in mind without a payee of the order. */
const othersMax = 1_000;
const likeMax = 5;

/** One word for what is paid: its amount and its coin. */
function paymentKey(amount: string, coin: string): string {
  return `${amount} ${coin}`;
}

type Amount = Pick<Paid, 'amount' | 'coin' | 'exchange'>;

/**
 * The words for what is paid: its amount, and the one in a currency that it was made from. Payments
 * of the same euros at two rates share the second one.
 */
export function paymentKeys({ amount, coin, exchange }: Amount): string[] {
  const asked = exchange && `${exchange.amount} ${exchange.currency}`;
  return [amount, ...(asked === undefined ? [] : [asked])].map((one) => paymentKey(one, coin));
}

/** One word for a payment, whatever face of its coin it is in. */
export function likeness({
  to,
  amount,
  token,
}: Pick<CheckedPayment, 'to' | 'amount' | 'token'>): string {
  return `${to} ${paymentKey(amount, coinOf(token))}`;
}

/** True for a payment of the last days, and for one that is under way. */
export function isRecent({ atMs }: Pick<Earlier, 'atMs'>, known: Pick<Known, 'days' | 'nowMs'>) {
  return atMs === undefined || atMs > known.nowMs - known.days * dayMs;
}

/**
 * Gathers what is known of the payees of an order. It holds as much as the order has lines, however
 * many payments it sees. Payments come oldest first.
 */
export function gatherer(
  { orderId, payments, wallets }: CheckedPayments,
  { also = [], ...how }: Pick<Known, 'book' | 'days' | 'nowMs'> & { also?: Iterable<string> },
) {
  const { book } = how;
  const payees = new Map<string, Payee>();
  const ids = new Map<string, readonly string[]>();
  const sent = new Set<string>();
  const paidAs = new Map<string, Set<string>>();
  const keysOf = (to: string, paid: Amount) => paymentKeys(paid).map((key) => `${to} ${key}`);
  for (const { lineId, to, token, name, ...own } of payments) {
    if (!payees.has(to)) payees.set(to, newPayee());
    ids.set(lineId, keysOf(to, { ...own, coin: coinOf(token) }));
    if (own.source !== undefined) sent.add(lineId);
    if (name !== undefined) paidAs.set(plainName(name), new Set());
  }
  const counts = new Map<string, number>();
  for (const key of [...ids.values()].flat()) countIn(counts, key);
  const likeOf = likenessOf(payees.keys());
  const add = (payee: string, address: string): void => {
    const like = payees.get(payee)?.like;
    if (like !== undefined && like.size < likeMax) like.add(address);
  };
  const note = (address: string): void => {
    for (const one of likeOf(address)) add(one, address);
  };
  if (book.alike === undefined) for (const address of book.addresses()) note(address);
  else for (const payee of payees.keys()) for (const one of book.alike(payee)) add(payee, one);
  for (const address of also) note(address);
  for (const address of payees.keys()) note(address);
  const own = new Set<string>();
  const addOwn = (address: string): void => {
    if (own.has(address)) return;
    own.add(address);
    note(address);
  };
  for (const address of wallets ?? []) addOwn(address.toLowerCase());
  const runs = new Map<string, Run>();
  const others = new Map<string, Run>();
  let seen: number | undefined;

  const runOf = ({ orderId: id, atMs }: Paid): Run => {
    const known = runs.get(id) ?? others.get(id);
    if (known !== undefined) return Object.assign(known, { atMs });
    const none = { lines: 0, known: 0, same: 0, sameIds: 0, sentAgain: 0, ids: 0 };
    const run = { orderId: id, atMs, ...none, counts: new Map(), totals: new Map() };
    others.set(id, run);
    const [oldest] = others.keys();
    if (others.size > othersMax && oldest !== undefined) others.delete(oldest);
    return run;
  };
  const addToRun = (paid: Paid, units: bigint, payee: Payee | undefined): void => {
    const { to, coin, lineId } = paid;
    const run = runOf(paid);
    run.lines += 1;
    run.totals.set(coin, (run.totals.get(coin) ?? 0n) + units);
    run.linesDigest ??= paid.linesDigest;
    if (ids.has(lineId)) run.ids += 1;
    if (payee === undefined) return;
    // A payout with a payee of the order stays in mind, however many others there are.
    if (others.delete(run.orderId)) runs.set(run.orderId, run);
    const keys = keysOf(to, paid);
    run.known += 1;
    const same = isRecent(paid, how) ? keys.filter((key) => counts.has(key)) : [];
    const numbers = same.map((key) => countIn(run.counts, key) <= (counts.get(key) ?? 0));
    if (numbers.includes(true)) run.same += 1;
    if (!keys.some((key) => ids.get(lineId)?.includes(key))) return;
    run.sameIds += 1;
    if (sent.has(lineId)) run.sentAgain += 1;
  };

  const addToPayee = (payee: Payee, paid: Paid, units: bigint): void => {
    const { orderId: id, coin, name, atMs } = paid;
    const keys = isRecent(paid, how) ? paymentKeys(paid) : [];
    for (const key of keys) payee.same.set(key, { orderId: id, atMs });
    if (name !== undefined) addName(payee.names, name);
    // A payment that is under way proves nothing of its payee.
    if (atMs === undefined) return;
    payee.times += 1;
    const known = payee.amounts.get(coin) ?? { times: 0, least: units, most: units };
    const least = units < known.least ? units : known.least;
    const most = units > known.most ? units : known.most;
    payee.amounts.set(coin, { times: known.times + 1, least, most });
  };

  return {
    /** Takes note that payments are told, even if there is none. */
    begin: (): void => {
      seen ??= 0;
    },
    see: (paid: Paid): void => {
      if (paid.orderId === orderId) return;
      seen = (seen ?? 0) + 1;
      const { to, sender, name } = paid;
      const payee = payees.get(to);
      if (sender !== undefined) addOwn(sender);
      note(to);
      if (name !== undefined && paidAs.size > 0) paidAs.get(plainName(name))?.add(to);
      if (payee === undefined && !paid.isPayout) return;
      const units = toBaseUnits(paid.amount, finest);
      if (payee !== undefined) addToPayee(payee, paid, units);
      if (paid.isPayout) addToRun(paid, units, payee);
    },
    known: (): Known => ({
      ...how,
      wallets: own,
      hasWallets: wallets !== undefined || seen !== undefined,
      payee: (address) => payees.get(address) ?? newPayee(),
      paidAs: (name) => paidAs.get(plainName(name)) ?? new Set(),
      runs: [...others.values(), ...runs.values()].sort(byTime),
      payments: seen,
    }),
  };
}

/** Counts a word once more. */
function countIn(counts: Map<string, number>, word: string): number {
  const count = (counts.get(word) ?? 0) + 1;
  counts.set(word, count);
  return count;
}

function newPayee(): Payee {
  return {
    times: 0,
    amounts: new Map(),
    names: new Map(),
    like: new Set(),
    same: new Map(),
  };
}
