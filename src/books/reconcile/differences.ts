import { isDecimal, unitsOfText } from '../../custody/objects/amount';
import { sameText } from '../../custody/objects/sameText';
import { isOfBatch } from '../../custody/reference';
import type { KnownOrder } from '../../orders/progress/knownOrder';
import type { Monies } from '../money';
import type { ArchivedReceipt } from '../receipt';
import { decimal } from '../statement';
import type { Comparison, ExpectedMovement } from './expected';
import type { ReconcileRow } from './finding';
import type { Moved, SentRecord } from './source';

/** A payment that the chain shows, and the words of all sources about it. */
export type ShownPayment = {
  effect: Moved;
  receipt: ArchivedReceipt | undefined;
  /** The reason why it is the second payment of its write, if it is. */
  twice: string | undefined;
  /** A sentence about the source that calls it failed, if one does. */
  failed: string | undefined;
};

/** All that is known of one transaction. */
export type Case = {
  record: SentRecord;
  moved: readonly Moved[];
  /** The payments among its movements. */
  paid: readonly ShownPayment[];
  receipts: readonly ArchivedReceipt[];
  /** Undefined where the record does not tell what it moves. */
  expected: readonly ExpectedMovement[] | undefined;
  /** The same, compared with the payments. */
  comparison: Comparison;
  /** Undefined if Temporal does not know it. */
  order: KnownOrder | undefined;
  /** True if there is an archive, which then must have a receipt of each payment. */
  hasArchive: boolean;
  /** The reason why it is the second call of its write, if it is one that pays nobody. */
  twice?: string | undefined;
};

/** The differences of a payment from its record, its receipt and its order, as sentences. */
export function paymentDifferences(
  one: Case,
  { effect, receipt }: Pick<ShownPayment, 'effect' | 'receipt'>,
  monies: Monies,
): string[] {
  return [
    recordFault(one, effect),
    receiptFault(effect, receipt, monies),
    one.paid.length === 1 ? orderFault(one, effect) : undefined,
  ].filter((fault) => fault !== undefined);
}

function recordFault({ record, comparison }: Case, effect: Moved): string | undefined {
  const { missing, strange } = comparison;
  // Payments of a batch may fail alone. They have no log, and then nothing else has one.
  const isAll = strange.length === 0 && missing.length > 0 && !isOfBatch(record.refId);
  if (!isAll && !strange.includes(effect)) return undefined;
  const shown = missing.map(({ money, units, to }) =>
    sentOf(decimal(units, money.decimals), money.name, to),
  );
  const happened = strange.map((each) => {
    const { amount = '', token = '', counterparty = '' } = toldOf(each);
    return sentOf(amount, token, counterparty);
  });
  return `The service shows ${listOf(shown)}, the chain shows ${listOf(happened)}.`;
}

function sentOf(amount: string, token: string, to: string): string {
  return `${amount} ${token} to ${to}`;
}

function listOf(words: readonly string[]): string {
  return words.slice(0, 3).join(' and ') || 'nothing more';
}

function receiptFault(
  effect: Moved,
  receipt: ArchivedReceipt | undefined,
  monies: Monies,
): string | undefined {
  const { money, outcome } = receipt ?? {};
  if (money === undefined || outcome !== 'completed' || effect.kind !== 'transfer')
    return undefined;
  const { unitsEach } = monies.of(money.token.address);
  const isSame = -BigInt(effect.change) === BigInt(money.baseUnits) * unitsEach;
  if (isSame && money.to.toLowerCase() === effect.counterparty) return undefined;
  const told = toldOf(effect);
  const ordered = sentOf(money.amount, money.token.name, money.to);
  const moved = sentOf(told.amount ?? '', told.token ?? '', told.counterparty ?? '');
  return `Its receipt shows ${ordered}, the chain shows ${moved}.`;
}

/** The order of a single payment, where Temporal still knows it. */
function orderFault({ order }: Case, effect: Moved): string | undefined {
  const { pays } = order ?? {};
  if (pays === undefined) return undefined;
  const { amount = '', token = '', counterparty = '' } = toldOf(effect);
  const isSame = sameText(pays.to, counterparty) && shortest(pays.amount) === amount;
  if (isSame) return undefined;
  const shown = sentOf(amount, token, counterparty);
  return `Ordered were ${sentOf(pays.amount, token, pays.to)}, the chain shows ${shown}.`;
}

/** A decimal as this program writes it: "12.50" is 12.5. */
function shortest(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

/** The fee of a record is the gas of the whole transaction or operation. */
export function feeFault({ record }: Case, gas: Moved | undefined): string | undefined {
  const { networkFee } = record;
  if (!networkFee || !isDecimal(networkFee) || gas === undefined) return undefined;
  const units = gas.sponsored === undefined ? -BigInt(gas.change) : BigInt(gas.sponsored);
  if (unitsOfText(networkFee, gas.decimals) === units) return undefined;
  const shown = decimal(units, gas.decimals);
  return `The service shows a fee of ${networkFee}, the chain shows ${shown} ${gas.token}.`;
}

/** The place of a movement, and its amount. */
export function toldOf(moved: Omit<Moved, 'at'>): Omit<ReconcileRow, 'class'> {
  const { token, decimals, change, block, txHash, logIndex, wallet, counterparty } = moved;
  const units = BigInt(change);
  return {
    token,
    amount: decimal(units < 0n ? -units : units, decimals),
    block,
    txHash,
    wallet,
    ...(logIndex === undefined ? {} : { logIndex }),
    ...(counterparty === undefined ? {} : { counterparty }),
  };
}
