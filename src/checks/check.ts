import { getAddress } from 'viem';
import { usualDays } from '../orders/input/checkedLines';
import type { AddressBook } from './book';
import { type Check, type CheckId, checks } from './checks';
import { type CheckedPayments, dayMs, gatherer, type Known, likeness } from './gather';
import { type OpenPaid, withOpen } from './openPayments';
import type { CheckedPayment, Paid } from './payment';

/** A finding of a check, as a sentence. */
export type CheckFinding = { check: CheckId; lineId?: string; words: string };

/** The checks that ran, what they found, and what they knew. */
export type Checked = {
  ran: CheckId[];
  /** The checks that were left out, since nobody told what they need. */
  leftOut: CheckId[];
  /** SHA-256 of the address book. Absent without one. */
  book?: string | undefined;
  /** The number of payments of the account that were looked at. Absent where nobody tells them. */
  payments?: number | undefined;
  /** The number of open payments that were compared too. Absent where nobody tells them. */
  open?: number | undefined;
  findings: CheckFinding[];
};

/** The facts beside an order. `paid` comes in pages, oldest first, and is undefined if nobody tells it. */
export type CheckFacts = {
  book: AddressBook;
  paid: AsyncIterable<Iterable<Paid>> | Iterable<Iterable<Paid>> | undefined;
  /** Payments that `paid` may lack, such as those of orders that run. Undefined if nobody knows. */
  open?: readonly OpenPaid[] | undefined;
  /** Known addresses beside those of the book and of what was paid. */
  also?: Iterable<string>;
  days?: number | undefined;
  nowMs: number;
};

/** The words for all that was left out, with "openOrders" if nobody told the open payments. */
export function leftOutOf({
  leftOut,
  payments,
  open,
}: Pick<Checked, 'leftOut' | 'payments' | 'open'>): string[] {
  return payments === undefined || open !== undefined ? leftOut : [...leftOut, 'openOrders'];
}

export const checkIds = Object.keys(checks).filter(isCheckId);

export function isCheckId(word: string): word is CheckId {
  return Object.hasOwn(checks, word);
}

/**
 * The days within which a payment like one of an order is told, for an order that is sent again.
 * All since its beginning count, since another order may have paid its payees meanwhile.
 */
export function daysSince(beganAt: string): number {
  return Math.max(usualDays, Math.ceil((Date.now() - Date.parse(beganAt)) / dayMs));
}

/** Runs all checks on an order, before money moves. It decides nothing. */
export async function runChecks(
  order: CheckedPayments,
  { paid, open, days = usualDays, ...facts }: CheckFacts,
): Promise<Checked> {
  const gather = gatherer(order, { days, ...facts });
  if (paid !== undefined) gather.begin();
  const pages = paid !== undefined && open !== undefined ? withOpen(paid, open) : (paid ?? []);
  for await (const page of pages) for (const one of page) gather.see(one);
  return { ...judged(order.payments, gather.known()), open: paid && open?.length };
}

/** The findings about an order, with all that is known of its payees. */
export function judged(payments: readonly CheckedPayment[], known: Known): Checked {
  const ran = checkIds.filter((id) => canRun(checks[id], known));
  const findings = ran.flatMap((id) =>
    wholeOf(checks[id], payments, known).map((words): CheckFinding => ({ check: id, words })),
  );
  const earlier = new Map<string, CheckedPayment>();
  for (const payment of payments) {
    const { lineId } = payment;
    for (const id of ran) {
      const { line }: Check = checks[id];
      const words = line?.(payment, { known, earlier });
      if (words !== undefined) findings.push({ check: id, lineId, words: spelled(words) });
    }
    const key = likeness(payment);
    if (!earlier.has(key)) earlier.set(key, payment);
  }
  return {
    ran,
    leftOut: checkIds.filter((id) => !ran.includes(id)),
    book: known.book.digest,
    payments: known.payments,
    findings,
  };
}

/** Words with addresses as people see them elsewhere. */
function spelled(words: string): string {
  return words.replace(/0x[0-9a-f]{40}\b/g, (address) => getAddress(address));
}

function wholeOf({ order }: Check, payments: readonly CheckedPayment[], known: Known): string[] {
  return order?.(payments, known) ?? [];
}

function canRun({ needs }: Check, { book, payments, hasWallets }: Known): boolean {
  if (needs === 'nothing') return true;
  if (needs === 'wallets') return hasWallets;
  const hasHistory = payments !== undefined;
  return needs === 'history' ? hasHistory : hasHistory || book.size > 0;
}
