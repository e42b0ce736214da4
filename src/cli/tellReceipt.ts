import pc from 'picocolors';

/** Where the field's own words would not do. */
const labels: Readonly<Record<string, string>> = {
  txHash: 'transaction hash',
  mintTxHash: 'mint transaction hash',
  key: 'idempotency key',
  looks: 'looks until it settled',
  networkFee: 'network fee, native coin',
  blockHeight: 'block',
};

/** A receipt as lines of "label  value", aligned; what it holds within is named in full. */
export function tellReceipt(receipt: unknown): string[] {
  const facts = factsOf(receipt, []);
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `  ${pc.dim(label.padEnd(width))}  ${value}`);
}

function factsOf(value: unknown, path: readonly string[]): [label: string, value: string][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[path.join(' '), String(value)]];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([field, inner]) => {
    // The second wallet of "wallets" is "wallet 2".
    if (!isList) return factsOf(inner, [...path, labelOf(field)]);
    const item = `${(path.at(-1) ?? 'item').replace(/s$/, '')} ${Number(field) + 1}`;
    return factsOf(inner, [...path.slice(0, -1), item]);
  });
}

/** "contractAddress" is "contract address". */
function labelOf(field: string): string {
  return labels[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
