import { finalState } from '../../custody/objects/state';
import type { Span } from '../chain/period';
import type { Monies } from '../money';
import type { ArchivedReceipt } from '../receipt';
import { isOfBatch, namedWrite } from '../records/reference';
import { decimal } from '../statement';
import { type Case, compared, differences, feeFault, receiptFor, toldOf } from './differences';
import type { Class, Finding } from './finding';
import type { Moved, SentRecord, Twin } from './tables';

/** The period of a reconciliation, and its monies. */
export type Scope = { span: Span; monies: Monies; period: { fromMs: number; untilMs: number } };

/** The class of a payment, and the reason. */
type Verdict = { class: Class; why: string };

/**
 * The rows of one transaction, by what service, chain and archive say of it. Each payment has one,
 * so that rows sum up to what has moved. A call that pays nobody has one too. A transaction of
 * another period has none.
 */
export function judge(one: Case, scope: Scope): Finding[] {
  const { record, moved } = one;
  const effects = moved.filter(({ kind }) => kind === 'transfer');
  const named = namedWrite(record.refId);
  if (named === undefined) return strangers(one, scope);
  const state = finalState(record.state);
  if (state === undefined) {
    const why = `The service shows ${record.state}, which is not final.`;
    const verdict = { class: 'in flight', why } as const;
    if (effects.length === 0) return announced(one, verdict);
    return effects.map((each) => ({ ...rowOf(one, each, scope), ...verdict }));
  }
  if (state !== 'COMPLETE') return withoutEffect(one, effects, scope);
  if (moved.length > 0) return completed(one, effects, scope);
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

function withoutEffect(one: Case, effects: readonly Moved[], scope: Scope): Finding[] {
  const { state } = one.record;
  if (effects.length > 0) {
    const why = `The service shows ${state}, but the chain shows that it moved money.`;
    return effects.map((each) => ({ ...rowOf(one, each, scope), class: 'missing here', why }));
  }
  const fees = one.moved.filter(({ kind }) => kind === 'fee');
  const why = `The service shows ${state}, and the gas was paid.`;
  return fees.map((fee) => ({ ...rowOf(one, fee, scope), class: 'fee without effect', why }));
}

function missingOnChain(one: Case): Finding[] {
  const { state, txHash } = one.record;
  const why = `The service shows ${state}, but the chain has no effect of ${txHash || 'no hash'}.`;
  return announced(one, { class: 'missing on chain', why });
}

/** A row for each payment that the record tells of, where the chain shows none. */
function announced(one: Case, verdict: Verdict): Finding[] {
  const { expected = [] } = one;
  const own = { ...placed(one, one.receipts[0]), ...verdict };
  if (expected.length === 0) return [own];
  return expected.map(({ money, units, to }) => ({
    ...{ token: money.symbol, amount: decimal(units, money.decimals), counterparty: to },
    ...own,
  }));
}

/** A difference of the fee has a row of its own: that of the gas. */
function completed(one: Case, effects: readonly Moved[], scope: Scope): Finding[] {
  const { moved } = one;
  const gas = moved.find(({ kind }) => kind !== 'transfer');
  const offFee = feeFault(one, gas, scope.monies);
  const payments = effects.length > 0 ? effects : moved.slice(0, 1);
  const judged = verdicts(one, effects, scope);
  const isApart = gas !== undefined && offFee !== undefined && !payments.includes(gas);
  const rows = payments.map((each): Finding => {
    const own = judged(each);
    if (each === gas && offFee !== undefined) own.unshift({ class: 'amount differs', why: offFee });
    const [first] = own;
    const why = own.map((verdict) => verdict.why).join(' ');
    const verdict = first === undefined ? { class: 'matched' as const } : { ...first, why };
    return { ...rowOf(one, each, scope), ...verdict };
  });
  rows.push(...lostOnChain(one, effects));
  if (isApart) rows.push({ ...rowOf(one, gas, scope), class: 'amount differs', why: offFee });
  return rows;
}

/** Tells all that is wrong with a payment of a completed transaction, the worst first. */
function verdicts(one: Case, effects: readonly Moved[], { monies }: Scope) {
  const { record, hasArchive, order, receipts } = one;
  const comparison = compared(one, effects);
  const isBatch = isOfBatch(record.refId);
  return (effect: Moved): Verdict[] => {
    const found: Verdict[] = [];
    const mark = comparison.made.get(effect)?.mark;
    const isSame = (twin: Twin): boolean => !isBatch || (mark !== undefined && twin.mark === mark);
    const twin = one.twins.find((other) => other.id < record.id && isSame(other));
    if (twin !== undefined) {
      const why = `Transaction ${twin.id} has paid the same: their references are of one write.`;
      found.push({ class: 'paid twice', why });
    }
    for (const why of differences(one, { effect, effects, comparison }, monies)) {
      found.push({ class: 'amount differs', why });
    }
    if (receiptFor(one, effect) !== undefined) return found;
    if (order === undefined && receipts.length === 0) {
      const why = 'Neither Temporal nor the archive knows its order. The service and the chain do.';
      found.push({ class: 'ours but forgotten', why });
    } else if (hasArchive) {
      const why = 'The order is known, but the archive has no receipt of it.';
      found.push({ class: 'missing here', why });
    }
    return found;
  };
}

/** Payments of a batch that have a receipt of success, and no log on the chain. */
function lostOnChain(one: Case, effects: readonly Moved[]): Finding[] {
  if (!isOfBatch(one.record.refId)) return [];
  const logs = new Set(effects.map(({ logIndex }) => logIndex));
  const lost = one.receipts.filter(
    ({ outcome, chain }) => outcome === 'completed' && !logs.has(chain.logIndex),
  );
  return lost.map((receipt) => {
    const { money, chain } = receipt;
    const paid = money && { token: money.token.name, amount: money.amount, counterparty: money.to };
    const log = `log ${chain.logIndex ?? ''}`.trim();
    const why = `Its receipt shows success, but the chain has no ${log} of it.`;
    return { ...paid, ...placed(one, receipt), class: 'missing on chain', why };
  });
}

function rowOf(one: Case, each: Moved, { monies }: Scope): Omit<Finding, 'class'> {
  return { ...toldOf(each, monies), ...placed(one, receiptFor(one, each)) };
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
