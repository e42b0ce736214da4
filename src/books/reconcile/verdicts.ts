import { sameText } from '../../custody/objects/sameText';
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
  const off = paymentDifferences(one, own, monies);
  const found: ClassVerdict[] = [
    ...twiceOf(own),
    ...failedOf(own),
    ...off.map((why) => ({ class: 'amount differs' as const, why })),
  ];
  if (own.receipt === undefined) found.push(...unreceipted(one));
  return [...found, ...likeOf(one, own)];
}

/** The words of a payment without a receipt, by what Temporal and the archive know of its order. */
function unreceipted({ hasArchive, order, receipts }: Case): ClassVerdict[] {
  if (order === undefined && receipts.length === 0) return [hasArchive ? unheardOf : forgotten];
  // Receipts are written before an order ends, and not as soon as each of its payments.
  if (!hasArchive || order?.isRunning === true) return [];
  return [{ class: 'missing here', why: 'The archive has no receipt of it.' }];
}

/** A record that names another transaction, or none, and is of this payment only by its looks. */
function likeOf({ record }: Case, { effect, receipt }: ShownPayment): ClassVerdict[] {
  const { kind, txHash, mark } = effect;
  const told = [record.txHash, receipt?.chain.txHash];
  const isNamed = mark !== undefined || told.some((one) => sameText(one, txHash));
  if (kind !== 'transfer' || isNamed) return [];
  const named = record.txHash ? `names ${record.txHash}` : 'names no transaction';
  const why = `The service ${named}: the payment was found by payee and amount alone.`;
  return [{ class: 'matched', why }];
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
