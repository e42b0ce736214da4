import { readPayoutReceipt, tellPayoutReceipt } from '../payout/tellPayout';
import { pc } from './colors';

/** Labels of fields whose names are not clear enough. */
const labels: Readonly<Record<string, string>> = {
  txHash: 'transaction hash',
  mintTxHash: 'mint transaction hash',
  key: 'idempotency key',
  networkFee: 'network fee, native coin',
  blockHeight: 'block',
};

/** A receipt as aligned lines of "label  value". Nested fields have their full path. */
export function tellReceipt(receipt: unknown): string[] {
  const payout = readPayoutReceipt(receipt);
  if (payout !== undefined) return tellPayoutReceipt(payout);
  const facts = factsOf(receipt, []).filter(isFirst);
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `  ${pc.dim(label.padEnd(width))}  ${value}`);
}

type Fact = readonly [label: string, value: string];

function factsOf(value: unknown, path: readonly string[]): Fact[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[unrepeated(path.join(' ')), String(value)]];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([field, inner]) => {
    // The second wallet of "wallets" is "wallet 2".
    if (!isList) return factsOf(inner, [...path, labelOf(field)]);
    const item = `${(path.at(-1) ?? 'item').replace(/s$/, '')} ${Number(field) + 1}`;
    return factsOf(inner, [...path.slice(0, -1), item]);
  });
}

/** The id of "wallet" is called "walletId": say "wallet id", not "wallet wallet id". */
function unrepeated(label: string): string {
  return label.replace(/\b(\w+)( \d+)? \1 /, '$1$2 ');
}

/** Drops a fact that the receipt has twice under one label. */
function isFirst([label, value]: Fact, index: number, all: readonly Fact[]): boolean {
  return all.findIndex((other) => other[0] === label && other[1] === value) === index;
}

/** "contractAddress" is "contract address". */
function labelOf(field: string): string {
  return labels[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
