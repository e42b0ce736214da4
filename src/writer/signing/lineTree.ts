import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils';
import { canonicalJson } from '../../custody/canonicalJson';

/** A line as its order reads it. */
export type TreeLine = { lineId: string; to: string; amount: string; token: string };

/** A node over the lines `from` to `to` (not included), and the nodes below it, where known. */
export type LineTree = {
  from: number;
  to: number;
  /** SHA-256 as hexadecimal digits. */
  hash: string;
  below?: readonly [LineTree, LineTree];
};

/**
 * The place of some lines among all: the number of lines before them, of them, and in all. `others`
 * are the hashes beside them, in order, so that their proofs need none of the other lines.
 */
export type PlaceInTree = { first: number; count: number; all: number; others: readonly string[] };

const leafMark = new Uint8Array([0]);
const nodeMark = new Uint8Array([1]);

/** The hash of one line at its index, counted from 0 (RFC 6962: 0x00 comes before a leaf). */
export function leafOf(index: number, { lineId, to, amount, token }: TreeLine): string {
  const text = canonicalJson([index, { lineId, to, amount, token }]);
  return bytesToHex(sha256(concatBytes(leafMark, utf8ToBytes(text))));
}

/** The Merkle tree of all lines, in the shape of RFC 6962. */
export function treeOf(lines: readonly TreeLine[]): LineTree {
  const { length } = lines;
  return treeAround(lines, { first: 0, count: length, all: length, others: [] });
}

/** The part of the tree that some lines in a row need. The nodes beside them have no leaves. */
export function treeAround(lines: readonly TreeLine[], place: PlaceInTree): LineTree {
  const { first, count, all, others } = place;
  const left = [...others];
  return build(0, all, (from, to) => {
    if (to <= first || from >= first + count) return left.shift() ?? '';
    const line = lines[from - first];
    return to - from === 1 && line !== undefined ? leafOf(from, line) : undefined;
  });
}

/** The place of the lines `first` to `first + count` in a tree. */
export function placeIn(tree: LineTree, first: number, count: number): PlaceInTree {
  const isBeside = (from: number, to: number): boolean => to <= first || from >= first + count;
  return { first, count, all: tree.to, others: hashesBeside(tree, isBeside) };
}

/** The hashes beside some lines, in order. With them, these lines alone lead to the root. */
export function proofIn(tree: LineTree, indexes: readonly number[]): string[] {
  return hashesBeside(tree, besides(indexes));
}

/**
 * The root that some lines lead to, each by the hash of its leaf. Undefined where they and the
 * hashes beside them fit no tree of so many lines.
 */
export function rootFrom(proof: {
  leaves: ReadonlyMap<number, string>;
  all: number;
  others: readonly string[];
}): string | undefined {
  const { leaves, all, others } = proof;
  const indexes = [...leaves.keys()];
  if (indexes.length === 0 || indexes.some((index) => index < 0 || index >= all)) return undefined;
  const isBeside = besides(indexes);
  const left = [...others].reverse();
  const root = (from: number, to: number): string | undefined => {
    if (isBeside(from, to)) return left.pop();
    if (to - from <= 1) return leaves.get(from);
    const middle = from + split(to - from);
    const [before, after] = [root(from, middle), root(middle, to)];
    return before === undefined || after === undefined ? undefined : nodeOf(before, after);
  };
  const found = root(0, all);
  return left.length === 0 ? found : undefined;
}

/** Says of a part of the tree if none of some lines is in it. */
function besides(indexes: readonly number[]): (from: number, to: number) => boolean {
  const sorted = [...indexes].sort((one, other) => one - other);
  return (from, to) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? to) < from) low = middle + 1;
      else high = middle;
    }
    return (sorted[low] ?? to) >= to;
  };
}

function hashesBeside(
  { from, to, hash, below }: LineTree,
  isBeside: (from: number, to: number) => boolean,
): string[] {
  if (isBeside(from, to)) return [hash];
  return below?.flatMap((one) => hashesBeside(one, isBeside)) ?? [];
}

type Known = (from: number, to: number) => string | undefined;

function build(from: number, to: number, known: Known): LineTree {
  const hash = known(from, to);
  if (hash !== undefined) return { from, to, hash };
  if (to - from <= 1) throw new RangeError(`There is no line ${from}.`);
  const middle = from + split(to - from);
  const below = [build(from, middle, known), build(middle, to, known)] as const;
  return { from, to, hash: nodeOf(below[0].hash, below[1].hash), below };
}

/** The number of lines on the left: the largest power of two below their number. */
function split(count: number): number {
  return 2 ** Math.ceil(Math.log2(count) - 1);
}

function nodeOf(left: string, right: string): string {
  return bytesToHex(sha256(concatBytes(nodeMark, hexToBytes(left), hexToBytes(right))));
}
