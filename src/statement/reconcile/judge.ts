import { finalState } from '../../custody/objects/state';
import { isOfBatch } from '../../custody/reference';
import type { Span } from '../chain/period';
import type { Monies } from '../money';
import type { ArchivedReceipt } from '../receipt';
import { namedWrite } from '../records/reference';
import { decimal } from '../statement';
import { type Case, differences, feeFault, paymentsIn, toldOf } from './differences';
import { type Class, type Finding, troubles } from './finding';
import type { Moved, SentRecord } from './source';
import { keysOf, type Payments } from './twins';

/** The period of a reconciliation, and its monies. */
export type Scope = {
  span: Span;
  monies: Monies;
  period: { fromMs: number; untilMs: number };
  /** The block after which payments are judged again that were not settled in time. */
  earlier?: number | undefined;
};

/** The class of a payment, and the reason. */
type Verdict = { class: Class; why: string };

/**
 * The rows of one transaction, by what service, chain and archive say of it. Each payment has one,
 * so that rows sum up to what has moved. A call that pays nobody has one too. A transaction of
 * another period has none. One of the time before has rows for its troubles alone. It has them only
 * if its record has changed, or its order has ended, since the period began.
 */
export function judge(one: Case, scope: Scope): Finding[] {
  const { span, earlier = span.opening } = scope;
  const block = one.moved.at(-1)?.block ?? one.record.blockHeight ?? span.closing;
  if (block <= earlier || block > span.opening) return rowsOf(one, scope);
  if (!isLate(one, scope)) return [];
  const before = { opening: earlier, closing: span.opening };
  return rowsOf(one, { ...scope, span: before }).filter((row) => troubles.includes(row.class));
}

function isLate({ record, order }: Case, { period }: Scope): boolean {
  const lastMs = Math.max(Date.parse(record.updateDate), order?.endedMs ?? 0);
  return lastMs >= period.fromMs;
}

function rowsOf(one: Case, scope: Scope): Finding[] {
  const { record, moved } = one;
  const payments = paymentsIn(one);
  const hasPaid = payments.effects.length > 0;
  if (namedWrite(record.refId) === undefined) return strangers(one, scope);
  const state = finalState(record.state);
  if (state === undefined) {
    const why = `The service shows ${record.state}, which is not final.`;
    const verdict = { class: 'in flight', why } as const;
    return hasPaid ? paid(one, payments, { scope, verdict }) : announced(one, verdict);
  }
  if (state !== 'COMPLETE') return withoutEffect(one, payments, scope);
  if (moved.length > 0) return completed(one, payments, scope);
  return isOf(record, scope) ? missingOnChain(one) : [];
}

/** True if a record that the chain does not show belongs to the period. */
function isOf({ blockHeight, updateDate }: SentRecord, { span, period }: Scope): boolean {
  if (blockHeight !== undefined) return blockHeight > span.opening && blockHeight <= span.closing;
  const timeMs = Date.parse(updateDate);
  return timeMs >= period.fromMs && timeMs < period.untilMs;
}

function strangers({ record, moved }: Case, { monies }: Scope): Finding[] {
  const why =
    `Transaction ${record.id} of the service has no reference of Steadfast. ` +
    'Somebody else uses this account.';
  const gone = moved.filter(({ kind }) => kind !== 'sponsored');
  return gone.map((one) => ({ ...toldOf(one, monies), ...placedBy(record), ...somebody, why }));
}

const somebody = { class: 'moved by somebody else' } as const;

/** The service shows no success. A receipt of success then has a row, too. */
function withoutEffect(one: Case, payments: Payments, scope: Scope): Finding[] {
  const { record, moved } = one;
  const { state } = record;
  const isHere = moved.length > 0 || isOf(record, scope);
  const lost = isHere ? lostOnChain(one, payments) : [];
  if (payments.effects.length > 0) {
    const why = `The service shows ${state}, but the chain shows that it moved money.`;
    return [...paid(one, payments, { scope, verdict: { class: 'missing here', why } }), ...lost];
  }
  return [...lost, ...gasAlone(one, `The service shows ${state}, and the gas was paid.`, scope)];
}

function gasAlone(one: Case, why: string, { monies }: Scope): Finding[] {
  const fees = one.moved.filter(({ kind }) => kind === 'fee');
  const own = { ...placed(one), class: 'fee without effect', why } as const;
  return fees.map((fee) => ({ ...toldOf(fee, monies), ...own }));
}

function missingOnChain(one: Case): Finding[] {
  const { state, txHash } = one.record;
  const why = `The service shows ${state}, but the chain has no effect of ${txHash || 'no hash'}.`;
  return announced(one, { class: 'missing on chain', why });
}

/** A row for each payment that the record tells of, where the chain shows none. */
function announced(one: Case, verdict: Verdict): Finding[] {
  const { expected = [], receipts, record } = one;
  if (expected.length === 0) return [{ ...placed(one, receipts[0]), ...verdict }];
  return expected.map(({ money, units, to }) => {
    const amount = decimal(units, money.decimals);
    const isIt = (receipt: ArchivedReceipt): boolean =>
      receipt.money?.to.toLowerCase() === to && receipt.money.amount === amount;
    const receipt = isOfBatch(record.refId) ? receipts.find(isIt) : receipts[0];
    const told = { token: money.symbol, amount, counterparty: to };
    return { ...told, ...placed(one, receipt), ...verdict };
  });
}

/** A difference of the fee has a row of its own: that of the gas. */
function completed(one: Case, payments: Payments, scope: Scope): Finding[] {
  const { record, moved } = one;
  const gas = moved.find(({ kind }) => kind !== 'transfer');
  const offFee = feeFault(one, gas, scope.monies);
  const off: Verdict[] = offFee === undefined ? [] : [{ class: 'amount differs', why: offFee }];
  if (payments.effects.length > 0 || isOfBatch(record.refId)) {
    const none = 'The service shows COMPLETE, but no payment of it went through. The gas was paid.';
    return [
      ...paid(one, payments, { scope }),
      ...lostOnChain(one, payments),
      ...(payments.effects.length === 0 ? gasAlone(one, none, scope) : []),
      ...off.map((verdict) => ({ ...gasOf(gas, scope), ...placed(one), ...verdict })),
    ];
  }
  // A call that pays nobody: its gas stands for it.
  return moved.slice(0, 1).map((call) => {
    const verdict = worst([...off, ...verdicts(one, call, { payments, scope })]);
    return { ...toldOf(call, scope.monies), ...placed(one, one.receipts[0]), ...verdict };
  });
}

/** Gas that somebody else has paid moves nothing. */
function gasOf(gas: Moved | undefined, { monies }: Scope): Partial<Finding> {
  return gas === undefined || gas.kind === 'sponsored' ? {} : toldOf(gas, monies);
}

type Judging = { scope: Scope; verdict?: Verdict };

/** A row for each payment that the chain shows, with the worst that is found of it. */
function paid(one: Case, payments: Payments, { scope, verdict }: Judging): Finding[] {
  return payments.effects.map((effect) => {
    const found = verdict ? [...twice(one, effect, payments), verdict] : undefined;
    const all = found ?? verdicts(one, effect, { payments, scope });
    const receipt = payments.receiptOf(effect);
    return { ...toldOf(effect, scope.monies), ...placed(one, receipt), ...worst(all) };
  });
}

/** All reasons, and the class of the first one. */
function worst(all: readonly Verdict[]): Pick<Finding, 'class' | 'why'> {
  const [first] = all;
  if (first === undefined) return { class: 'matched' };
  return { class: first.class, why: all.map(({ why }) => why).join(' ') };
}

/** All that is wrong with a payment of a completed transaction, the worst first. */
function verdicts(
  one: Case,
  effect: Moved,
  { payments, scope }: { payments: Payments; scope: Scope },
): Verdict[] {
  const { hasArchive, order, receipts } = one;
  const off = differences(one, { effect, payments }, scope.monies);
  const found: Verdict[] = [
    ...twice(one, effect, payments),
    ...off.map((why) => ({ class: 'amount differs' as const, why })),
  ];
  if (payments.receiptOf(effect) !== undefined) return found;
  if (order === undefined && receipts.length === 0) {
    found.push(hasArchive ? unheardOf : forgotten);
  } else if (hasArchive && order?.isRunning !== true) {
    // Receipts are written before an order ends, and not as soon as each of its payments.
    found.push({ class: 'missing here', why: 'The archive has no receipt of it.' });
  }
  return found;
}

/** An archive has a receipt of each order that has paid. Anybody can make up a reference. */
const unheardOf: Verdict = {
  class: 'missing here',
  why:
    'Neither Temporal nor the archive knows its order. The service and the chain do. ' +
    'Somebody may have made up its reference.',
};
const forgotten: Verdict = {
  class: 'ours but forgotten',
  why: 'Temporal does not know its order, and there is no archive. The service and the chain do.',
};

/** The payment is the second one of its write, by its place on the chain. */
function twice(one: Case, effect: Moved, payments: Payments): Verdict[] {
  const keys = keysOf(effect, payments);
  const place = [effect.block, effect.logIndex ?? 0] as const;
  const earlier = one.twins.find(
    ({ key, block, logIndex }) =>
      keys.includes(key) && (block < place[0] || (block === place[0] && logIndex < place[1])),
  );
  if (earlier === undefined) return [];
  const why = `Transaction ${earlier.id} has paid the same before: both are of one write.`;
  return [{ class: 'paid twice', why }];
}

/** Payments that have a receipt of success, and no movement on the chain. */
function lostOnChain(one: Case, { effects, receiptOf }: Payments): Finding[] {
  const made = new Set(effects.map(receiptOf));
  const lost = one.receipts.filter(
    (receipt) => receipt.outcome === 'completed' && !made.has(receipt),
  );
  return lost.map((receipt) => {
    const { money } = receipt;
    const told = money && { token: money.token.name, amount: money.amount, counterparty: money.to };
    const why = 'Its receipt shows success, but the chain shows no such movement.';
    return { ...told, ...placed(one, receipt), class: 'missing on chain', why };
  });
}

function placedBy(record: SentRecord): Omit<Finding, 'class'> {
  const { id: transactionId, txHash, sourceAddress } = record;
  const wallet = sourceAddress?.toLowerCase();
  return {
    transactionId,
    ...(txHash ? { txHash } : {}),
    ...(wallet === undefined ? {} : { wallet }),
  };
}

/** The order of a row, its line and its reference. Those of a batch stand in its receipts. */
function placed(one: Case, receipt?: ArchivedReceipt): Omit<Finding, 'class'> {
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
