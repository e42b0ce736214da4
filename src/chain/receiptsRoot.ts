import { concatHex, type Hex, keccak256, toRlp, trim } from 'viem';

/** As much of a receipt as a block's header vouches for, as a node tells it. */
export type RawReceipt = {
  type: Hex;
  status: Hex;
  cumulativeGasUsed: Hex;
  logsBloom: Hex;
  logs: readonly { address: Hex; topics: readonly Hex[]; data: Hex }[];
};

/**
 * The root of the Merkle Patricia trie of a block's receipts over their indexes. It is in the
 * header, so that a log that is left out, added or changed gives another root.
 */
export function receiptsRoot(receipts: readonly RawReceipt[]): Hex {
  const leaves = receipts.map((receipt, index) => ({
    path: nibblesOf(toRlp(integer(BigInt(index)))),
    value: encoded(receipt),
  }));
  return keccak256(toRlp(nodeOf(leaves)));
}

/** Receipts of a type of their own begin with it (EIP-2718). */
function encoded({ type, status, cumulativeGasUsed, logsBloom, logs }: RawReceipt): Hex {
  const told = logs.map(({ address, topics, data }) => [address, [...topics], data]);
  const numbers = [status, cumulativeGasUsed].map((number) => integer(BigInt(number)));
  const body = toRlp([...numbers, logsBloom, told]);
  return BigInt(type) === 0n ? body : concatHex([trim(type), body]);
}

/** An integer without leading zeros. Zero has no digits. */
function integer(value: bigint): Hex {
  if (value === 0n) return '0x';
  const digits = value.toString(16);
  return digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`;
}

type Leaf = { path: string; value: Hex };
type Node = Hex | Node[];

/** One hexadecimal digit each, without `0x`. */
function nibblesOf(key: Hex): string {
  return key.slice(2);
}

const hexDigits = [...'0123456789abcdef'];

function nodeOf(leaves: readonly Leaf[]): Node {
  const [first] = leaves;
  if (first === undefined) return '0x';
  if (leaves.length === 1) return [compact(first.path, true), first.value];
  const shared = sharedStart(leaves.map(({ path }) => path));
  if (shared.length > 0) {
    return [compact(shared, false), reference(nodeOf(leaves.map((leaf) => rest(leaf, shared))))];
  }
  const children = hexDigits.map((digit) => {
    const own = leaves.filter(({ path }) => path.startsWith(digit));
    return own.length === 0 ? '0x' : reference(nodeOf(own.map((leaf) => rest(leaf, digit))));
  });
  const end = leaves.find(({ path }) => path === '');
  return [...children, end?.value ?? '0x'];
}

function rest({ path, value }: Leaf, start: string): Leaf {
  return { path: path.slice(start.length), value };
}

function sharedStart(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let length = 0;
  while (length < first.length && others.every((path) => path[length] === first[length])) {
    length += 1;
  }
  return first.slice(0, length);
}

/** A short node stands in its parent as it is, a longer one by its hash. */
function reference(node: Node): Node {
  const whole = toRlp(node);
  return whole.length < 2 + 2 * 32 ? node : keccak256(whole);
}

/** A path in whole bytes, with a mark for leaves and for an odd number of digits. */
function compact(path: string, isLeaf: boolean): Hex {
  const isOdd = path.length % 2 === 1;
  const mark = ((isLeaf ? 2 : 0) + (isOdd ? 1 : 0)).toString(16);
  return isOdd ? `0x${mark}${path}` : `0x${mark}0${path}`;
}
