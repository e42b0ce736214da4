/** A field of a document, as people read it. */
export type Fact = readonly [label: string, value: string];

/** The first fields of a document, and whether there are more. */
export type ShownFacts = { all: Fact[]; isCut: boolean };

/** Fields that are shown of a document, unless a reader wants all that there is room for. */
const factsMax = 1_000;
/** Anybody may hand in a document of millions of fields, or of names without end. */
const charactersMax = 1_000_000;
const nameMax = 1_000;
const levelsMax = 64;

/** Labels of fields whose names are not clear enough. */
const labels: Readonly<Record<string, string>> = {
  txHash: 'transaction hash',
  mintTxHash: 'mint transaction hash',
  key: 'idempotency key',
  networkFee: 'network fee, native coin',
  blockHeight: 'block',
};

/** The fields of a document, each with its full path, and none twice. */
export function factsIn(document: unknown, { most = factsMax } = {}): ShownFacts {
  const found = new Map<string, Fact>();
  let room = charactersMax;
  /** False for the first field that is left out. */
  const note = (fact: Fact): boolean => {
    const text = JSON.stringify(fact);
    room -= text.length;
    if (room < 0 || (found.size === most && !found.has(text))) return false;
    found.set(text, fact);
    return true;
  };
  const noteAll = (value: unknown, path: readonly string[], level: number): boolean => {
    if (value === undefined || value === null) return true;
    if (typeof value !== 'object') return note([unrepeated(path.join(' ')), String(value)]);
    // The second wallet of "wallets" is "wallet 2".
    const item = Array.isArray(value) && (path.at(-1) ?? 'item').replace(/s$/, '');
    return Object.entries(value).every(([field, inner]) => {
      if (level === levelsMax || field.length > nameMax) return false;
      const inside =
        item === false
          ? [...path, labelOf(field)]
          : [...path.slice(0, -1), `${item} ${Number(field) + 1}`];
      return noteAll(inner, inside, level + 1);
    });
  };
  const isWhole = noteAll(document, [], 0);
  return { all: [...found.values()], isCut: !isWhole };
}

/** The id of "wallet" is called "walletId": say "wallet id", not "wallet wallet id". */
function unrepeated(label: string): string {
  return label.replace(/\b(\w+)( \d+)? \1 /, '$1$2 ');
}

/** "contractAddress" is "contract address". */
function labelOf(field: string): string {
  return (
    labels[field] ?? field.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  );
}
