/** A field of a document, as people read it. */
export type Fact = readonly [label: string, value: string];

/** Labels of fields whose names are not clear enough. */
const labels: Readonly<Record<string, string>> = {
  txHash: 'transaction hash',
  mintTxHash: 'mint transaction hash',
  key: 'idempotency key',
  networkFee: 'network fee, native coin',
  blockHeight: 'block',
};

/** All fields of a document, each with its full path, and none twice. */
export function factsIn(document: unknown): Fact[] {
  return factsAt(document, []).filter(isFirst);
}

function factsAt(value: unknown, path: readonly string[]): Fact[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[unrepeated(path.join(' ')), String(value)]];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([field, inner]) => {
    // The second wallet of "wallets" is "wallet 2".
    if (!isList) return factsAt(inner, [...path, labelOf(field)]);
    const item = `${(path.at(-1) ?? 'item').replace(/s$/, '')} ${Number(field) + 1}`;
    return factsAt(inner, [...path.slice(0, -1), item]);
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
  return (
    labels[field] ?? field.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  );
}
