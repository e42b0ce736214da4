import { isDecimal, toBaseUnits } from '../../custody/objects/amount';
import { sameText } from '../../custody/objects/sameMoney';
import type { Monies } from '../money';
import type { ArchivedReceipt } from '../receipt';
import { isOfBatch } from '../records/reference';
import { decimal } from '../statement';
import { compare, type Expected } from './expected';
import type { Finding } from './finding';
import type { KnownOrder, Moved, SentRecord } from './tables';

/** All that is known of one transaction of the service. */
export type Case = {
  record: SentRecord;
  moved: readonly Moved[];
  receipts: readonly ArchivedReceipt[];
  /** Undefined where the record does not tell what it moves. */
  expected: readonly Expected[] | undefined;
  /** Ids of other records of the same write that have an effect on the chain. */
  twins: readonly string[];
  /** Undefined if Temporal does not know it. */
  order: KnownOrder | undefined;
  /** True if there is an archive, which then must have a receipt of each payment. */
  hasArchive: boolean;
};

/** The differences of a record from the chain, and of its receipts from the chain, as sentences. */
export function differences(one: Case, effects: readonly Moved[], monies: Monies): string[] {
  const { expected, record } = one;
  const found: string[] = [];
  if (expected !== undefined) {
    const { missing, strange } = compare(expected, effects);
    const shown = missing.map(({ money, units, to }) =>
      sentOf(decimal(units, money.decimals), money.symbol, to),
    );
    const happened = strange.map((each) => {
      const { amount = '', token = '', counterparty = '' } = toldOf(each, monies);
      return sentOf(amount, token, counterparty);
    });
    // Payments of a batch may fail alone. They have no log, and then nothing else has one.
    const isAlone = isOfBatch(record.refId) && strange.length === 0;
    if ((missing.length > 0 && !isAlone) || strange.length > 0) {
      const words = `The service shows ${listOf(shown)}, the chain shows ${listOf(happened)}.`;
      found.push(words);
    }
  }
  found.push(...receiptFaults(one, effects, monies), ...orderFaults(one, effects, monies));
  found.push(...feeFaults(one, monies));
  return found;
}

function sentOf(amount: string, token: string, to: string): string {
  return `${amount} ${token} to ${to}`;
}

function listOf(words: readonly string[]): string {
  return words.slice(0, 3).join(' and ') || 'nothing more';
}

function receiptFaults(one: Case, effects: readonly Moved[], monies: Monies): string[] {
  return effects.flatMap((effect) => {
    const { money } = receiptFor(one, effect) ?? {};
    const own =
      money && (money.token.address === '' ? undefined : monies.ofToken(money.token.address));
    if (money === undefined) return [];
    const units = BigInt(money.baseUnits) * (own?.unitsEach ?? 1n);
    const isSame = -BigInt(effect.change) === units;
    if (isSame && money.to.toLowerCase() === effect.counterparty) return [];
    const told = toldOf(effect, monies);
    const ordered = sentOf(money.amount, money.token.name, money.to);
    const moved = sentOf(told.amount ?? '', told.token ?? '', told.counterparty ?? '');
    return [`Its receipt shows ${ordered}, the chain shows ${moved}.`];
  });
}

/** The order of a single payment, where Temporal still knows it. */
function orderFaults({ order }: Case, effects: readonly Moved[], monies: Monies): string[] {
  const { pays } = order ?? {};
  const [effect] = effects;
  if (pays === undefined || effect === undefined || effects.length > 1) return [];
  const { amount = '', token = '', counterparty = '' } = toldOf(effect, monies);
  const isSame = sameText(pays.to, counterparty) && shortest(pays.amount) === amount;
  if (isSame) return [];
  const shown = sentOf(amount, token, counterparty);
  return [`Ordered were ${sentOf(pays.amount, token, pays.to)}, the chain shows ${shown}.`];
}

/** A decimal as this program writes it: "12.50" is 12.5. */
function shortest(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

/** The fee of a record is the gas of the whole transaction or operation. */
function feeFaults({ record, moved }: Case, { coin }: Monies): string[] {
  const { networkFee } = record;
  const gas = moved.find(({ kind }) => kind !== 'transfer');
  if (!networkFee || !isDecimal(networkFee) || gas === undefined) return [];
  const units = gas.sponsored === undefined ? -BigInt(gas.change) : BigInt(gas.sponsored);
  if (toBaseUnits(networkFee, coin.decimals) === units) return [];
  const shown = decimal(units, coin.decimals);
  return [`The service shows a fee of ${networkFee}, the chain shows ${shown} ${coin.symbol}.`];
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

/** The receipt of one payment of a transaction. */
export function receiptFor({ record, receipts }: Case, effect: Moved): ArchivedReceipt | undefined {
  if (!isOfBatch(record.refId)) return receipts[0];
  return receipts.find(({ chain }) => chain.logIndex === effect.logIndex);
}
