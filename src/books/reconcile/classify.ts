import { finalState } from '../../custody/objects/state';
import { unreadableState } from '../../custody/objects/transaction';
import { isOfBatch } from '../../custody/reference';
import type { BlockSpan } from '../chain/period';
import type { Monies } from '../money';
import type { ArchivedReceipt } from '../receipt';
import { namedWrite } from '../records/reference';
import { decimal } from '../statement';
import { type Case, feeFault, type ShownPayment, toldOf } from './differences';
import { type ReconcileRow, troubles } from './finding';
import type { Moved, SentRecord } from './source';
import { type ClassVerdict, failedOf, twiceOf, verdicts, worst } from './verdicts';

/** The period of a reconciliation, and its monies. */
export type ReconcileScope = {
  span: BlockSpan;
  monies: Monies;
  period: { fromMs: number; untilMs: number };
  /** The block after which payments are judged again that were not settled in time. */
  earlier?: number | undefined;
};

/**
 * The rows of one transaction, by what service, chain and archive say of it. Each payment has one,
 * so that rows sum up to what has moved. A call that pays nobody has one too. A transaction of
 * another period has none. A transaction of the time before has rows for its troubles alone. It
 * has them only if its record has changed, or its order has ended, since the period began.
 */
export function classifyPayments(one: Case, scope: ReconcileScope): ReconcileRow[] {
  const { span, earlier = span.opening } = scope;
  const block = one.moved.at(-1)?.block ?? one.record.blockHeight ?? span.closing;
  if (block <= earlier || block > span.opening) return rowsOf(one, scope);
  if (!isLate(one, scope)) return [];
  const before = { opening: earlier, closing: span.opening };
  return rowsOf(one, { ...scope, span: before }).filter((row) => troubles.includes(row.class));
}

function isLate({ record, order }: Case, { period }: ReconcileScope): boolean {
  const lastMs = Math.max(Date.parse(record.updateDate) || 0, order?.endedMs ?? 0);
  return lastMs >= period.fromMs;
}

function rowsOf(one: Case, scope: ReconcileScope): ReconcileRow[] {
  const { record, moved, paid } = one;
  if (record.state === unreadableState) return unreadable(one, scope);
  if (namedWrite(record.refId) === undefined) return strangers(one, scope);
  const state = finalState(record.state);
  if (state === undefined) {
    const why = `The service shows ${record.state}, which is not final.`;
    const verdict = { class: 'in flight', why } as const;
    return paid.length > 0 ? paidRows(one, scope, verdict) : announced(one, verdict);
  }
  if (state !== 'COMPLETE') return withoutEffect(one, scope);
  if (moved.length > 0) return completed(one, scope);
  return isOf(one, scope) ? missingOnChain(one) : [];
}

/** A record that is not the interface tells nothing for certain, so that a person looks. */
function unreadable(one: Case, scope: ReconcileScope): ReconcileRow[] {
  const { record, paid } = one;
  const why = `Transaction ${record.id} is not the interface: a record that cannot be read.`;
  const verdict = { class: 'cannot be read', why } as const;
  return paid.length > 0 ? paidRows(one, scope, verdict) : [{ ...placed(one), ...verdict }];
}

/**
 * True if a record that the chain does not show belongs to the period. Its height and its dates are
 * claims, which the chain does not confirm. So one of them is enough, or the end of its order. A
 * difference that two days show is found, and one that no day shows is lost.
 */
function isOf({ record, receipts, order }: Case, { span, period }: ReconcileScope): boolean {
  const { blockHeight, createDate, updateDate } = record;
  const dates = [createDate, updateDate, ...receipts.map(({ time }) => time)];
  const times = [...dates.map((date) => Date.parse(date)), order?.endedMs ?? Number.NaN];
  if (blockHeight === undefined && times.every(Number.isNaN)) return true;
  if (blockHeight !== undefined && blockHeight > span.opening && blockHeight <= span.closing)
    return true;
  return times.some((timeMs) => timeMs >= period.fromMs && timeMs < period.untilMs);
}

/** A record without a reference of ours. It has a row also where the chain shows no movement. */
function strangers(one: Case, scope: ReconcileScope): ReconcileRow[] {
  const { record, moved, paid } = one;
  const { id, state } = record;
  const begin = `Transaction ${id} of the service has no reference of Steadfast. `;
  const gone = moved.filter(({ kind }) => kind !== 'sponsored');
  const isHere = moved.length > 0 || finalState(state) === undefined || isOf(one, scope);
  if (gone.length === 0 && !isHere) return [];
  if (gone.length === 0) {
    const none = `The service shows ${state}, and the chain no movement. `;
    return announced(one, { ...somebody, why: `${begin}${none}${used}` });
  }
  return gone.map((effect) => {
    const twice = twiceOf(paid.find((own) => own.effect.at === effect.at));
    const found = worst([...twice, { ...somebody, why: begin + used }]);
    return { ...placedBy(record), ...toldOf(effect), ...found };
  });
}

const used = 'Somebody else uses this account.';
const somebody = { class: 'moved by somebody else' } as const;

/** The row of a movement that goes out, and of which the service has no record. */
export function unrecorded(own: ShownPayment): ReconcileRow {
  const { effect, receipt } = own;
  const what = effect.kind === 'fee' ? 'gas of a transaction' : 'a movement';
  const why =
    `The chain shows ${what} of which the service has no record. ` +
    'A person with the key or the entity secret of this wallet can do that. So can the holder ' +
    'of a payment that the wallet has signed (permit, EIP-3009).';
  const verdicts = [...twiceOf(own), ...failedOf(own), { ...somebody, why }];
  const order = receipt && { order: receipt.order.id };
  return { ...order, ...toldOf(effect), ...worst(verdicts) };
}

/** The service shows no success. A receipt of success then has a row, too. */
function withoutEffect(one: Case, scope: ReconcileScope): ReconcileRow[] {
  const { record, moved, paid } = one;
  const { state } = record;
  const isHere = moved.length > 0 || isOf(one, scope);
  const lost = isHere ? lostOnChain(one) : [];
  if (paid.length > 0) {
    const why = `The service shows ${state}, but the chain shows that it moved money.`;
    return [...paidRows(one, scope, { class: 'called failed', why }), ...lost];
  }
  return [...lost, ...gasAlone(one, `The service shows ${state}, and the gas was paid.`)];
}

function gasAlone(one: Case, why: string): ReconcileRow[] {
  const fees = one.moved.filter(({ kind }) => kind === 'fee');
  const own = { class: 'fee without effect', why } as const;
  return fees.map((fee) => ({ ...placed(one), ...toldOf(fee), ...own }));
}

function missingOnChain(one: Case): ReconcileRow[] {
  const { state, txHash } = one.record;
  const why = `The service shows ${state}, but the chain has no effect of ${txHash || 'no hash'}.`;
  return announced(one, { class: 'missing on chain', why });
}

/** A row for each payment that the record tells of, where the chain shows none. */
function announced(one: Case, verdict: ClassVerdict): ReconcileRow[] {
  const { expected = [], receipts, record } = one;
  if (expected.length === 0) return [{ ...placed(one, receipts[0]), ...verdict }];
  return expected.map(({ money, units, to }) => {
    const amount = decimal(units, money.decimals);
    const isIt = (receipt: ArchivedReceipt): boolean =>
      receipt.money?.to.toLowerCase() === to && receipt.money.amount === amount;
    const receipt = isOfBatch(record.refId) ? receipts.find(isIt) : receipts[0];
    const told = { token: money.name, amount, counterparty: to };
    return { ...told, ...placed(one, receipt), ...verdict };
  });
}

/** A difference of the fee is told in the row of the gas. */
function completed(one: Case, scope: ReconcileScope): ReconcileRow[] {
  const { record, moved, paid } = one;
  const gas = moved.find(({ kind }) => kind !== 'transfer');
  const offFee = feeFault(one, gas);
  const off: ClassVerdict[] =
    offFee === undefined ? [] : [{ class: 'amount differs', why: offFee }];
  if (paid.length > 0 || isOfBatch(record.refId)) {
    const none = 'The service shows COMPLETE, but no payment of it went through. The gas was paid.';
    return [
      ...paidRows(one, scope),
      ...lostOnChain(one),
      ...(paid.length === 0 ? gasAlone(one, none) : []),
      ...off.map((verdict) => ({ ...placed(one), ...gasOf(gas), ...verdict })),
    ];
  }
  // A call that pays nobody: its gas stands for it.
  return moved.slice(0, 1).map((effect) => {
    const own = { effect, receipt: one.receipts[0], twice: one.twice, failed: undefined };
    const found = worst([...verdicts(one, own, scope.monies), ...off]);
    return { ...placed(one, one.receipts[0]), ...toldOf(effect), ...found };
  });
}

/** Gas that somebody else has paid moves nothing. */
function gasOf(gas: Moved | undefined): Partial<ReconcileRow> {
  return gas === undefined || gas.kind === 'sponsored' ? {} : toldOf(gas);
}

/** A row for each payment that the chain shows, with the worst that is found of it. */
function paidRows(one: Case, scope: ReconcileScope, verdict?: ClassVerdict): ReconcileRow[] {
  return one.paid.map((own) => {
    const all = verdict
      ? [...twiceOf(own), ...failedOf(own), verdict]
      : verdicts(one, own, scope.monies);
    return { ...placed(one, own.receipt), ...toldOf(own.effect), ...worst(all) };
  });
}

/** Payments that have a receipt of success, and no movement on the chain. */
function lostOnChain(one: Case): ReconcileRow[] {
  const made = new Set(one.paid.map(({ receipt }) => receipt?.hash));
  const lost = one.receipts.filter(
    ({ outcome, hash }) => outcome === 'completed' && !made.has(hash),
  );
  return lost.map((receipt) => {
    const { money } = receipt;
    const told = money && { token: money.token.name, amount: money.amount, counterparty: money.to };
    const why = 'Its receipt shows success, but the chain shows no such movement.';
    return { ...told, ...placed(one, receipt), class: 'missing on chain', why };
  });
}

function placedBy(record: SentRecord): Omit<ReconcileRow, 'class'> {
  const { id: transactionId, txHash, sourceAddress } = record;
  const wallet = sourceAddress?.toLowerCase();
  return {
    transactionId,
    ...(txHash ? { txHash } : {}),
    ...(wallet === undefined ? {} : { wallet }),
  };
}

/** The order of a row, its line and its reference. The lines of a batch stand in its receipts. */
function placed(one: Case, receipt?: ArchivedReceipt): Omit<ReconcileRow, 'class'> {
  const { record, receipts } = one;
  const named = namedWrite(record.refId);
  const order = receipts[0]?.order.id ?? named?.order;
  const line = receipt?.step === 'line' ? receipt.item : named?.line;
  const reference = receipt?.order.reference;
  return {
    ...(order === undefined ? {} : { order }),
    ...(line === undefined ? {} : { line }),
    ...(reference === undefined ? {} : { reference }),
    ...placedBy(record),
  };
}
