import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { sameText } from '../../custody/objects/sameMoney';
import { isOfBatch } from '../../custody/reference';
import type { Monies } from '../money';
import type { ArchivedReceipt } from '../receipt';
import { receiptAmong } from '../records/reference';
import { decimal } from '../statement';
import { type Comparison, compare, type Expected } from './expected';
import type { Finding } from './finding';
import type { KnownOrder, Moved, SentRecord } from './source';
import type { Payments, Twin } from './twins';

/** One transaction, as service, chain and archive show it. */
export type Known = {
  record: SentRecord;
  moved: readonly Moved[];
  receipts: readonly ArchivedReceipt[];
  /** Undefined where the record does not tell what it moves. */
  expected: readonly Expected[] | undefined;
};

/** All that is known of one transaction. */
export type Case = Known & {
  /** Payments by other transactions that share a key with one of this. */
  twins: readonly Twin[];
  /** Undefined if Temporal does not know it. */
  order: KnownOrder | undefined;
  /** True if there is an archive, which then must have a receipt of each payment. */
  hasArchive: boolean;
};

/** The payments of a transaction, compared with what its record tells of. */
export function paymentsIn(known: Known): Payments {
  const { record, moved, receipts, expected } = known;
  const effects = moved.filter(({ kind }) => kind === 'transfer');
  const comparison = expected === undefined ? noComparison : compare(expected, effects);
  const receiptOf = ({ logIndex }: Moved): ArchivedReceipt | undefined =>
    receiptAmong(receipts, { refId: record.refId, logIndex });
  return { record, effects, comparison, receiptOf };
}

const noComparison: Comparison = { made: new Map(), missing: [], strange: [] };

/** The differences of a payment from its record, its receipt and its order, as sentences. */
export function differences(
  one: Case,
  { effect, payments }: { effect: Moved; payments: Payments },
  monies: Monies,
): string[] {
  return [
    recordFault(effect, payments, monies),
    receiptFault(effect, payments, monies),
    payments.effects.length === 1 ? orderFault(one, effect, monies) : undefined,
  ].filter((fault) => fault !== undefined);
}

function recordFault(effect: Moved, payments: Payments, monies: Monies): string | undefined {
  const { record, comparison } = payments;
  const { missing, strange } = comparison;
  // Payments of a batch may fail alone. They have no log, and then nothing else has one.
  const isAll = strange.length === 0 && missing.length > 0 && !isOfBatch(record.refId);
  if (!isAll && !strange.includes(effect)) return undefined;
  const shown = missing.map(({ money, units, to }) =>
    sentOf(decimal(units, money.decimals), money.symbol, to),
  );
  const happened = strange.map((each) => {
    const { amount = '', token = '', counterparty = '' } = toldOf(each, monies);
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

function receiptFault(effect: Moved, payments: Payments, monies: Monies): string | undefined {
  const { money, outcome } = payments.receiptOf(effect) ?? {};
  if (money === undefined || effect.kind !== 'transfer') return undefined;
  const own = money.token.address === '' ? undefined : monies.ofToken(money.token.address);
  const units = BigInt(money.baseUnits) * (own?.unitsEach ?? 1n);
  const isSame = -BigInt(effect.change) === units;
  if (outcome === 'completed' && isSame && money.to.toLowerCase() === effect.counterparty) {
    return undefined;
  }
  const told = toldOf(effect, monies);
  const ordered = sentOf(money.amount, money.token.name, money.to);
  const shown = outcome === 'failed' ? `that ${ordered} failed` : ordered;
  const moved = sentOf(told.amount ?? '', told.token ?? '', told.counterparty ?? '');
  return `Its receipt shows ${shown}, the chain shows ${moved}.`;
}

/** The order of a single payment, where Temporal still knows it. */
function orderFault({ order }: Case, effect: Moved, monies: Monies): string | undefined {
  const { pays } = order ?? {};
  if (pays === undefined) return undefined;
  const { amount = '', token = '', counterparty = '' } = toldOf(effect, monies);
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
export function feeFault(
  { record }: Case,
  gas: Moved | undefined,
  { coin }: Monies,
): string | undefined {
  const { networkFee } = record;
  if (!networkFee || !isDecimal(networkFee) || gas === undefined) return undefined;
  const units = gas.sponsored === undefined ? -BigInt(gas.change) : BigInt(gas.sponsored);
  if (toBaseUnits(networkFee, coin.decimals) === units) return undefined;
  const shown = decimal(units, coin.decimals);
  return `The service shows a fee of ${networkFee}, the chain shows ${shown} ${coin.symbol}.`;
}

/** The place of a movement, and its amount. */
export function toldOf(moved: Moved, monies: Monies): Omit<Finding, 'class'> {
  const { token, change, block, txHash, logIndex, wallet, counterparty } = moved;
  const { decimals = 0 } = monies.all.find(({ symbol }) => symbol === token) ?? {};
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
