import { BaseError } from 'viem';
import type { Rpc } from './asking';
import type { NodeClock } from './clock';
import type { Heads } from './heads';
import type { Kept } from './kept';
import type { Pace } from './pace';
import type { Span } from './span';

/** Limits and places of a call. */
export type How = {
  /** A call that is refused is retried for this long. */
  patienceMs: number;
  /** No call is tried again later, by the node's clock. */
  untilMs?: number | undefined;
  /** Number of tries more while the node is away. */
  triesAway: number;
  /** True for calls that go behind all others. */
  isLater?: boolean;
  /** Keeps the answers about final blocks. */
  kept?: Kept | undefined;
};

/** When a call that begins now is not tried again any more, by the node's clock. */
export function patienceEndMs(clock: NodeClock, { patienceMs, untilMs = Infinity }: How): number {
  return Math.min(untilMs, clock.now() + patienceMs);
}

/** A node of a chain. All readers of this process share its pace, and what it has taught. */
export type Node = {
  origin: string;
  clock: NodeClock;
  pace: Pace;
  span: Span;
  heads: Heads;
  /** Makes one call. Throws an error of the chain's library. */
  request(call: Rpc, how: How): Promise<unknown>;
  /** Calls in one request. Undefined where the node has answered only a part of them. */
  together(unit: readonly Rpc[], how: How): Promise<unknown[] | undefined>;
};

export const blockNumberCall: Rpc = { method: 'eth_blockNumber', params: [] };

/** The node has not answered in the time that there was, though it is there. */
export class UnansweredError extends BaseError {
  constructor(details: string, { cause }: { cause?: Error } = {}) {
    super('The node has not answered in time.', { details, name: 'UnansweredError' });
    // The library would tell the details of the cause instead.
    if (cause !== undefined) this.cause = cause;
  }
}
