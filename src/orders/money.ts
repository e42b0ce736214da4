import { createHash } from 'node:crypto';
import type { OrderKind, ReadOrder } from './kinds';
import { hashOf, hashOfLines } from './readLines';

/** The fields of an order that decide what money goes where; sorted, so that they compare. */
export type Money = Record<string, unknown>;

/** Fields that may differ between two runs of one order. */
const free: readonly string[] = [
  ...['feeLevel', 'reference', 'validUntil', 'generations', 'dryRun'],
  ...['openMax', 'linesPerS'],
];

/** The money fields, with what they name resolved: an id and its address are the same wallet. */
export function moneyOf(opened: {
  kind: OrderKind;
  order: ReadOrder<OrderKind>;
  wallet?: { address: string };
  treasury?: { address: string };
  token?: { address: string };
}): Money {
  const { kind, order, wallet, treasury, token } = opened;
  const resolved = {
    kind,
    ...order,
    ...('from' in order && wallet !== undefined ? { from: wallet.address } : {}),
    ...('wallet' in order && wallet !== undefined ? { wallet: wallet.address } : {}),
    ...('into' in order && wallet !== undefined ? { into: wallet.address } : {}),
    ...(treasury === undefined ? {} : { source: treasury.address }),
    ...(token === undefined ? {} : { token: token.address === '' ? 'native' : token.address }),
    // A memo has no place for a hundred wallets, or for hundreds of lines.
    ...('payoutId' in order ? { wallets: hashOf(order.wallets) } : {}),
    ...('lines' in order && order.lines ? { lines: hashOfLines(order.lines) } : {}),
  };
  return Object.fromEntries(
    Object.entries(resolved)
      .filter(([field, value]) => !free.includes(field) && value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function fingerprintOf(money: Money): string {
  return createHash('sha256').update(canonical(money)).digest('hex');
}

/** JSON with sorted keys at every depth: the same text for the same value. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const fields = entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${fields.join(',')}}`;
}

/** The fields in which two orders differ, each as a sentence. */
export function differences(earlier: Money, now: Money): string[] {
  const fields = [...new Set([...Object.keys(earlier), ...Object.keys(now)])].sort();
  return fields
    .filter((field) => canonical(earlier[field]) !== canonical(now[field]))
    .map((field) => `${field} was ${canonical(earlier[field])}, is ${canonical(now[field])}`);
}

/** Fields that can name one thing in two ways: a wallet by id and address, a token by symbol. */
const named: readonly string[] = ['from', 'wallet', 'walletId', 'into', 'source', 'token'];

/**
 * The fields in which an order, as read but not resolved, surely differs from an earlier one. What
 * is named in two ways may be the same, and is left to the guard.
 */
export function sureDifferences(earlier: Money, now: Money): string[] {
  const isSure = (field: string): boolean =>
    !named.includes(field) || shapeOf(earlier[field]) === shapeOf(now[field]);
  const sure = (money: Money): Money =>
    Object.fromEntries(Object.entries(money).filter(([field]) => isSure(field)));
  return differences(sure(earlier), sure(now));
}

/** How a value names what it names: by address, by another text, or by the fields of an object. */
function shapeOf(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('0x') ? 'address' : 'text';
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.keys(value).sort().join(' ');
}
