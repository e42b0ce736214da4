import { createHash } from 'node:crypto';
import { canonicalJson } from '../custody/canonicalJson';
import type { OrderKind, ReadOrder } from './kinds';
import { hashOf, hashOfLines } from './payout/readLines';

/** The fields of an order that decide which money goes where. Sorted, so that they compare. */
export type MoneyFields = Record<string, unknown>;

/** Fields that may differ between two runs of one order. */
const free: readonly string[] = [
  'feeLevel',
  'reference',
  'exchange',
  // Compared by itself: the order's memory has the network of its workers.
  'blockchain',
  'validUntil',
  'generations',
  'request',
  'dryRun',
  'openMax',
  'linesPerS',
  'batch',
  'memo',
  'continued',
];

/** The money fields, with names resolved: a wallet's id and its address are the same wallet. */
export function moneyFields(opened: {
  kind: OrderKind;
  order: ReadOrder<OrderKind>;
  wallet?: { address: string } | undefined;
  treasury?: { address: string } | undefined;
  token?: { address: string } | undefined;
}): MoneyFields {
  const { kind, order, wallet, treasury, token } = opened;
  const resolved = {
    kind,
    ...order,
    ...('from' in order && wallet !== undefined ? { from: wallet.address } : {}),
    ...('wallet' in order && wallet !== undefined ? { wallet: wallet.address } : {}),
    ...('into' in order && wallet !== undefined ? { into: wallet.address } : {}),
    ...(treasury === undefined ? {} : { source: treasury.address }),
    ...(token === undefined ? {} : { token: token.address === '' ? 'native' : token.address }),
    // A memo has no room for a hundred wallets or hundreds of lines.
    ...('payoutId' in order ? { wallets: hashOf(order.wallets) } : {}),
    ...('lines' in order && order.lines ? { lines: hashOfLines(order.lines) } : {}),
  };
  return Object.fromEntries(
    Object.entries(resolved)
      .filter(([field, value]) => !free.includes(field) && value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function fingerprintOf(money: MoneyFields): string {
  return createHash('sha256').update(canonicalJson(money)).digest('hex');
}

/** Phrases for fields that a memo has only as hashes, which tell people nothing. */
export type Told = { lines?: readonly string[]; wallets?: readonly string[] };

/** The fields in which two orders differ, each as a phrase. */
export function moneyDifferences(
  earlier: MoneyFields,
  now: MoneyFields,
  told: Told = {},
): string[] {
  const fields = [...new Set([...Object.keys(earlier), ...Object.keys(now)])].sort();
  const isMany = isPayout(earlier) || isPayout(now);
  return fields
    .filter((field) => canonicalJson(earlier[field]) !== canonicalJson(now[field]))
    .flatMap((field) => {
      if (isMany && field === 'lines') return told.lines ?? ['the lines differ'];
      if (isMany && field === 'wallets') return told.wallets ?? ['the wallets differ'];
      return [`${field} was ${canonicalJson(earlier[field])}, is ${canonicalJson(now[field])}`];
    });
}

function isPayout({ kind }: MoneyFields): boolean {
  return kind === 'payout' || kind === 'payoutShard';
}

/** Fields that can name one thing in two ways: a wallet by id and address, a token by symbol. */
const named: readonly string[] = ['from', 'wallet', 'walletId', 'into', 'source', 'token'];

/**
 * The fields in which an order, as read but not resolved, surely differs from an earlier one. A
 * field with two ways to name a thing may be the same. The guard decides that.
 */
export function sureDifferences(earlier: MoneyFields, now: MoneyFields, told?: Told): string[] {
  const isSure = (field: string): boolean =>
    !named.includes(field) || shapeOf(earlier[field]) === shapeOf(now[field]);
  const sure = (money: MoneyFields): MoneyFields =>
    Object.fromEntries(Object.entries(money).filter(([field]) => isSure(field)));
  return moneyDifferences(sure(earlier), sure(now), told);
}

/**
 * The way in which a value names a thing: by address, by another text, or by an object's fields.
 */
function shapeOf(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('0x') ? 'address' : 'text';
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.keys(value).sort().join(' ');
}
