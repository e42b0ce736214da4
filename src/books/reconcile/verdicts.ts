import type { Monies } from '../money';
import { type Case, paymentDifferences, type ShownPayment } from './differences';
import type { Class, ReconcileRow } from './finding';

/** The class of a payment, and the reason. */
export type ClassVerdict = { class: Class; why: string };

/** All reasons, and the class of the first one. */
export function worst(all: readonly ClassVerdict[]): Pick<ReconcileRow, 'class' | 'why'> {
  const [first] = all;
  if (first === undefined) return { class: 'matched' };
  return { class: first.class, why: all.map(({ why }) => why).join(' ') };
}

/** All that is wrong with a payment of a completed transaction, the worst first. */
export function verdicts(one: Case, own: ShownPayment, monies: Monies): ClassVerdict[] {
  const { hasArchive, order, receipts } = one;
  const off = paymentDifferences(one, own, monies);
  const found: ClassVerdict[] = [
    ...twiceOf(own),
    ...failedOf(own),
    ...off.map((why) => ({ class: 'amount differs' as const, why })),
  ];
  if (own.receipt !== undefined) return found;
  if (order === undefined && receipts.length === 0) {
    found.push(hasArchive ? unheardOf : forgotten);
  } else if (hasArchive && order?.isRunning !== true) {
    // Receipts are written before an order ends, and not as soon as each of its payments.
    found.push({ class: 'missing here', why: 'The archive has no receipt of it.' });
  }
  return found;
}

/** An archive has a receipt of each order that has paid. Anybody can make up a reference. */
const unheardOf: ClassVerdict = {
  class: 'missing here',
  why:
    'Neither Temporal nor the archive knows its order. The service and the chain do. ' +
    'Somebody may have made up its reference.',
};
const forgotten: ClassVerdict = {
  class: 'ours but forgotten',
  why: 'Temporal does not know its order, and there is no archive. The service and the chain do.',
};

/** The payment is the second one of its write. */
export function twiceOf(own: ShownPayment | undefined): ClassVerdict[] {
  return own?.twice === undefined ? [] : [{ class: 'paid twice', why: own.twice }];
}

/** Somebody calls the payment failed. */
export function failedOf(own: ShownPayment | undefined): ClassVerdict[] {
  return own?.failed === undefined ? [] : [{ class: 'called failed', why: own.failed }];
}
