import type { Rpc } from './asking';
import type { NodeClock } from './clock';

/** The newest block that a node has shown. Its backends may differ. */
export type Heads = {
  /** The newest block that any backend has shown, or that somebody claims. */
  newest(): bigint;
  /** The newest block that any backend has shown. */
  shown(): bigint;
  /** Number of heads that were seen. */
  seen(): number;
  /** The heads of one request, in its order. A later one that is older is of another backend. */
  together(heads: readonly number[]): void;
  /** True if one request has reached several backends, not long ago. */
  areMixed(): boolean;
  /** Notes a claim that a block exists. A near one is believed for a while, and in vain only once. */
  claimed(block: number): void;
  /** Takes in what an answer tells. */
  note(call: Rpc, result: unknown): void;
};

/** A chain that shows no newer block for this long has gone back, as one that begins again. */
const goneBackMs = 30_000;

/** A claim that is so far ahead of all that was seen is no help. */
const claimMax = 2_000n;

/** A node whose requests reach several backends shows that by one of so many heads. */
const mixedHeads = 100;

/** Keeps the newest block of a node. */
export function createHeads(clock: NodeClock): Heads {
  let [shown, claim, seen, mixedAt] = [0n, 0n, 0, Number.NEGATIVE_INFINITY];
  let lower: { sinceMs: number; newest: bigint } | undefined;
  /** The newest block that was claimed, and that no backend has shown. */
  let refuted = 0n;

  const newest = (): bigint => (claim > shown ? claim : shown);
  const takeHead = (head: bigint): void => {
    seen += 1;
    if (head > shown) shown = head;
    if (head >= newest()) {
      lower = undefined;
      return;
    }
    const now = clock.now();
    lower ??= { sinceMs: now, newest: head };
    if (head > lower.newest) lower.newest = head;
    if (now - lower.sinceMs <= goneBackMs) return;
    if (claim > shown && claim > refuted) refuted = claim;
    [shown, claim, lower] = [lower.newest, 0n, undefined];
  };
  return {
    newest,
    shown: () => shown,
    seen: () => seen,
    together(heads) {
      if (heads.some((head, at) => head < (heads[at - 1] ?? head))) mixedAt = seen;
    },
    areMixed: () => seen - mixedAt < mixedHeads,
    claimed(block) {
      const isNear = block > newest() && block <= shown + claimMax;
      if (isNear && block > refuted) claim = BigInt(block);
    },
    note(call, result) {
      if (call.method === 'eth_blockNumber') takeHead(BigInt(String(result)));
      else {
        const block = blockIn(call, result);
        if (block !== undefined && block > shown) shown = block;
      }
    },
  };
}

const showing = new Map([
  ['eth_getBlockByNumber', 'number'],
  ['eth_getTransactionByHash', 'blockNumber'],
  ['eth_getTransactionReceipt', 'blockNumber'],
]);

function blockIn({ method, params }: Rpc, result: unknown): bigint | undefined {
  const field = showing.get(method);
  if (field === undefined || typeof result !== 'object' || result === null) return undefined;
  // The pending block has a number that no block has yet, and some nodes give it a hash.
  if (params[0] === 'pending') return undefined;
  const own: unknown = Object.getOwnPropertyDescriptor(result, field)?.value;
  return typeof own === 'string' ? BigInt(own) : undefined;
}
