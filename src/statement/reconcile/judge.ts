import { finalState } from '../../custody/objects/state';
import type { Span } from '../chain/period';
import type { Monies } from '../money';
import { isOfBatch, namedWrite } from '../records/reference';
import { decimal } from '../statement';
import { type Case, differences, receiptFor, toldOf } from './differences';
import type { Finding } from './finding';
import type { Moved, SentRecord } from './tables';

/** The period of a reconciliation, and its monies. */
export type Scope = { span: Span; monies: Monies; period: { fromMs: number; untilMs: number } };

/**
 * The rows of one transaction, by what service, chain and archive say of it. A transaction of
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
    return [{ ...placed(one), class: 'in flight', why }];
  }
  if (state !== 'COMPLETE') return withoutEffect(one, effects, scope);
  if (moved.length === 0) return isOf(record, scope) ? [missingOnChain(one)] : [];
  return completed(one, effects, scope);
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

function withoutEffect(one: Case, effects: readonly Moved[], { monies }: Scope): Finding[] {
  const { record, moved } = one;
  if (effects.length > 0) {
    const why = `The service shows ${record.state}, but the chain shows that it moved money.`;
    return effects.map((effect) => ({
      ...toldOf(effect, monies),
      ...placed(one),
      class: 'missing here',
      why,
    }));
  }
  const fees = moved.filter(({ kind }) => kind === 'fee');
  return fees.map((fee) => ({
    ...toldOf(fee, monies),
    ...placed(one),
    class: 'fee without effect',
    why: `The service shows ${record.state}, and the gas was paid.`,
  }));
}

function missingOnChain(one: Case): Finding {
  const { state, txHash } = one.record;
  const why = `The service shows ${state}, but the chain has no effect of ${txHash || 'no hash'}.`;
  return { ...placed(one), ...amountIn(one), class: 'missing on chain', why };
}

/** The amount that the service shows. */
function amountIn({ expected = [] }: Case): Partial<Finding> {
  const [first] = expected;
  if (first === undefined || expected.length > 1) return {};
  const { money, units, to } = first;
  return { token: money.symbol, amount: decimal(units, money.decimals), counterparty: to };
}

function completed(one: Case, effects: readonly Moved[], scope: Scope): Finding[] {
  const { record, twins, receipts, order, hasArchive } = one;
  const { monies } = scope;
  const [first] = effects.length > 0 ? effects : one.moved;
  const own = { ...(first && toldOf(first, monies)), ...placed(one) };
  const rows: Finding[] = [];
  const off = differences(one, effects, monies);
  rows.push(...off.map((why) => ({ ...own, class: 'amount differs' as const, why })));
  if (twins.some((other) => other < record.id)) {
    const why = `Transaction ${twins[0]} has paid the same: their references are of one write.`;
    rows.push({ ...own, class: 'paid twice', why });
  }
  if (hasArchive && order !== undefined && receipts.length === 0) {
    const why = 'The order is known, but the archive has no receipt of it.';
    rows.push({ ...own, class: 'missing here', why });
  }
  if (order === undefined && receipts.length === 0) {
    const why = 'Neither Temporal nor the archive knows its order. The service and the chain do.';
    rows.push({ ...own, class: 'ours but forgotten', why });
  }
  if (rows.length > 0) return rows;
  // A batch has a row for each of its payments, and a call that moves nothing has one.
  const matched = effects.length === 0 ? [own] : effects.map((each) => rowOf(one, each, monies));
  return matched.map((row) => ({ ...row, class: 'matched' }));
}

function rowOf(one: Case, effect: Moved, monies: Monies): Omit<Finding, 'class'> {
  const receipt = receiptFor(one, effect);
  const line = receipt?.step === 'line' ? { line: receipt.item } : {};
  return { ...toldOf(effect, monies), ...placed(one), ...line };
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

function placed({ record, receipts }: Case): Omit<Finding, 'class'> {
  const named = namedWrite(record.refId);
  const [receipt] = receipts;
  const order = receipt?.order.id ?? named?.order;
  const line = isOfBatch(record.refId) ? undefined : named?.line;
  const reference = receipt?.order.reference;
  return {
    ...(order === undefined ? {} : { order }),
    ...(line === undefined ? {} : { line }),
    ...(reference === undefined ? {} : { reference }),
    ...placedBy(record),
  };
}
