import { zeroAddress } from 'viem';
import { claimsNoEffect } from '../../src/custody/objects/finalWord';
import { finalState } from '../../src/custody/objects/state';
import type { Transaction } from '../../src/custody/objects/transaction';
import type { CoinMovement, Verdict } from './books';
import type { End } from './carryOut';
import type { Ledger } from './chain';
import type { Running } from './load';
import { amountOf, baseUnitsOf, isImpossible, type SoakOrder } from './order';
import { numberOf } from './records';

type OrderParts = {
  orders: readonly Running[];
  ledger: Ledger;
  coins: readonly CoinMovement[];
  /** Every record that the service has of the wallets' sending. */
  records: readonly Transaction[];
};

/** The effect of one order on the chain, by any way of transfer. */
type Effect = { from: string; to: string; baseUnits: bigint; txHash?: string };

/**
 * Compares each order's end with the chain, and the service's records with both. A completed order
 * has exactly one effect, its own. An order in doubt has one at most, and any other order has none.
 * No effect is without an order.
 */
export function judgeOrders(parts: OrderParts): Verdict {
  const { orders, ledger, coins, records } = parts;
  const logged = grouped(ledger.movements, ({ money, baseUnits }) => placeOf(money, baseUnits));
  const paidTo = grouped(coins, ({ to }) => to);
  const recordsOf = grouped(records, (record) => numberOf(record)?.toString());
  const findings = orders.flatMap(({ order, end }) => {
    if (end === undefined) return [];
    const facts = {
      effects:
        (order.money === 'native'
          ? paidTo.get(order.to)
          : logged.get(placeOf(order.money, baseUnitsOf(order)))) ?? [],
      records: recordsOf.get(order.micros.toString()) ?? [],
    };
    return faultsOf(order, { end, ...facts }).map((fault) => `${order.id} ${fault}`);
  });
  const strangers = unordered(logged, orders);
  const ended = orders.filter(({ end }) => end !== undefined).length;
  const completed = orders.filter(({ end }) => end?.outcome === 'completed').length;
  const agreements = [
    `${completed} completed orders have exactly one effect on the chain each, their own`,
    `${ended - completed} orders that ended otherwise have none`,
    `${records.length} records of the service say the same`,
  ];
  const all = [...findings, ...strangers];
  return { agreements: all.length === 0 ? agreements : [], findings: all };
}

type Facts = { end: End; effects: readonly Effect[]; records: readonly Transaction[] };

function faultsOf(order: SoakOrder, facts: Facts): string[] {
  const open = facts.records.filter((record) => !isComplete(record) && !claimsNoEffect(record));
  const { end, effects } = facts;
  if (end.outcome === 'partly') {
    const twice = effects.length > 1 ? [`is in doubt, and has ${effects.length} effects`] : [];
    return [...twice, ...open.map(({ id, state }) => `has a record ${id} that is still ${state}`)];
  }
  return [
    ...open.map(({ id, state }) => `has a record ${id} that is still ${state}`),
    ...(end.outcome === 'completed'
      ? [...faultsOfEffects(order, end, facts.effects), ...faultsOfRecords(end, facts.records)]
      : faultsOfNothing(order, end, facts)),
  ];
}

/** The words of the fault plan's own refusals. */
const refusal = 'Bad Request.';

type Completed = Extract<End, { outcome: 'completed' }>;
type Otherwise = Exclude<End, Completed>;

/** Judges an order that did not complete. It must have no effect, and a cause. */
function faultsOfNothing(order: SoakOrder, { outcome, reason }: Otherwise, facts: Facts): string[] {
  const { effects, records } = facts;
  const complete = records.filter(isComplete);
  const hashes = effects.map(({ txHash }) => txHash ?? 'a block');
  const isWanted =
    isImpossible(order) || order.cancelAfterMs !== undefined || reason.includes(refusal);
  return [
    ...complete.map(({ id }) => `is ${outcome}, yet record ${id} is COMPLETE (${reason})`),
    ...hashes.map((hash) => `is ${outcome}, yet the chain has it in ${hash} (${reason})`),
    ...(isWanted || records.length > 0 ? [] : [`is ${outcome} without a cause: ${reason}`]),
  ];
}

function faultsOfEffects(order: SoakOrder, end: Completed, effects: readonly Effect[]): string[] {
  const from = order.money === 'minted' ? zeroAddress : order.from.address;
  const amount = amountOf(order);
  const { told } = end;
  return [
    ...(effects.length === 1 ? [] : [`completed, and has ${effects.length} effects`]),
    ...effects.flatMap((effect) => [
      ...differs('the payer on the chain', effect.from, from),
      ...differs('the payee on the chain', effect.to, order.to),
      ...differs('what is paid in base units', `${effect.baseUnits}`, `${baseUnitsOf(order)}`),
      ...differs('the hash on the chain', effect.txHash ?? end.txHash, end.txHash),
    ]),
    ...differs('the payee in the receipt', told.to, order.to),
    ...differs('the amount in the receipt', told.amount, amount),
  ];
}

function faultsOfRecords(end: Completed, records: readonly Transaction[]): string[] {
  const complete = records.filter(isComplete);
  return [
    ...(complete.length === 1 ? [] : [`completed, and has ${complete.length} COMPLETE records`]),
    ...complete.flatMap(({ id, txHash }) => [
      ...differs('the record that is COMPLETE', id, end.transactionId),
      ...differs('the hash in the record', txHash ?? 'none', end.txHash),
    ]),
  ];
}

function differs(what: string, actual: string, expected: string): string[] {
  return actual === expected ? [] : [`completed, and ${what} is ${actual}, not ${expected}`];
}

function isComplete({ state }: Transaction): boolean {
  return finalState(state) === 'COMPLETE';
}

/** Movements whose money and amount no order has. */
function unordered(
  effects: ReadonlyMap<string, readonly Effect[]>,
  orders: readonly Running[],
): string[] {
  const ordered = new Set(orders.map(({ order }) => placeOf(order.money, baseUnitsOf(order))));
  return [...effects]
    .filter(([place]) => !ordered.has(place))
    .map(([place, found]) => `nobody ordered ${place}, paid in ${found[0]?.txHash ?? 'a block'}`);
}

function placeOf(money: string, baseUnits: bigint): string {
  return `${baseUnits} base units of ${money}`;
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item) ?? '';
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
