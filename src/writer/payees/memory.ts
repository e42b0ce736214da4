import { endDigits, looksLike } from '../../checks/likeness';
import { byTime } from '../../checks/payment';
import type { Row, Work } from '../../store/work';
import { factOf, sql } from '../ledger/statements';
import type { KeptPayment, KnownPayees, KnownPayment } from './payees';

/** Payments of one payee that are read: the latest, and the latest of the same amount. */
const readMax = 1_000;

const keepsFact = 'keepsPayees';

/** Notes that a new ledger keeps all payments from its beginning on. */
export function* beginPayees(): Work<void> {
  if ((yield* factOf('id')) === undefined) yield* sql.keepFact.run(keepsFact, 'true');
}

export function* keepsPayees(): Work<boolean> {
  return (yield* factOf(keepsFact)) !== undefined;
}

/** Keeps the payments of a write, or of a transaction of others, under its key. */
export function* keepPayments(
  key: string,
  payments: readonly KeptPayment[],
  atMs: number,
): Work<void> {
  for (const { to, money, amount, mark = '' } of payments) {
    yield* sql.addPayment.run(key, mark, to, money, `${amount}`, Math.round(atMs));
    // Also once more, since the same write may have been given back meanwhile.
    yield* sql.countPayee.run(to);
  }
}

/** The number of payments to payees that were let out or seen. */
export function* seenOf(payments: readonly KeptPayment[]): Work<number> {
  let seen = 0;
  for (const to of new Set(payments.map((payment) => payment.to))) {
    const row = yield* sql.payee.get(to);
    seen += Number(row?.payments ?? 0);
  }
  return seen;
}

/** All that is known of payees, without the write of this hash. Payments come oldest first. */
export function* payeesOf(payments: readonly KeptPayment[], hash: string): Work<KnownPayees> {
  const rows = new Map<string, Row>();
  const alike = new Set<string>();
  // A batch may pay one payee many times, and is read before anything of it is refused.
  for (const to of new Set(payments.map((payment) => payment.to))) {
    for (const row of yield* sql.paymentsTo.all(to, readMax)) rows.set(nameOf(row), row);
    for (const { address } of yield* sql.payeesWithEnds.all(...endDigits(to))) {
      if (looksLike(String(address), to) && (yield* isPaid(String(address), hash)))
        alike.add(String(address));
    }
  }
  const sums = payments.map(({ to, money, amount }) => [to, money, `${amount}`] as const);
  for (const sum of new Map(sums.map((one) => [one.join(' '), one])).values()) {
    for (const row of yield* sql.samePayments.all(...sum, readMax)) rows.set(nameOf(row), row);
  }
  const counted = [...rows.values()].reverse().filter((row) => isCounted(row, hash));
  return {
    payments: counted.map(knownPayment).sort(byTime),
    alike: [...alike],
    seen: yield* seenOf(payments),
  };
}

/** True for an address that has a payment. Payments without effect make nobody known. */
function* isPaid(address: string, hash: string): Work<boolean> {
  const payments = yield* sql.paymentsTo.all(address, readMax);
  return payments.some((row) => isCounted(row, hash));
}

/** The ledger counts a payment as long as it has a charge. The write that is judged is none. */
function isCounted(row: Row, hash: string): boolean {
  return row.hash !== hash && row.endMs !== null;
}

function nameOf({ key, mark, address, money, amount }: Row): string {
  return [key, mark, address, money, amount].join(' ');
}

function knownPayment({ key, orderId, address, money, amount, endMs }: Row): KnownPayment {
  return {
    to: String(address),
    money: String(money),
    amount: BigInt(String(amount)),
    orderId: String(orderId ?? String(key).replace(/^outside/, 'the transaction')),
    atMs: Number(endMs) || undefined,
  };
}
