import type { Rpc } from './asking';
import type { Clock } from './clock';

/** The newest block that a node has shown. Its backends may differ. */
export type Heads = {
  /** The newest block that any backend has shown. */
  newest(): bigint;
  /** Number of heads that were seen. */
  seen(): number;
  /** Somebody says that a block is there. It is believed for a while, if it may be. */
  claimed(block: number): void;
  /** Takes in what an answer tells. */
  note(call: Rpc, result: unknown): void;
};

/** A chain that shows no newer block for so long has gone back, as one that begins again. */
const goneBackMs = 30_000;

/** A claim that is so far ahead of all that was seen is no help. */
const claimMax = 2_000n;

/** Keeps the newest block of a node. */
export function createHeads(clock: Clock): Heads {
  let [newest, seen] = [0n, 0];
  let lower: { sinceMs: number; newest: bigint } | undefined;

  const takeHead = (head: bigint): void => {
    seen += 1;
    if (head >= newest) {
      newest = head;
      lower = undefined;
      return;
    }
    const now = clock.now();
    lower ??= { sinceMs: now, newest: head };
    if (head > lower.newest) lower.newest = head;
    if (now - lower.sinceMs > goneBackMs) [newest, lower] = [lower.newest, undefined];
  };
  return {
    newest: () => newest,
    seen: () => seen,
    claimed(block) {
      if (block > newest && block <= newest + claimMax) newest = BigInt(block);
    },
    note(call, result) {
      if (call.method === 'eth_blockNumber') takeHead(BigInt(String(result)));
      else {
        const shown = blockIn(call, result);
        if (shown !== undefined && shown > newest) newest = shown;
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
