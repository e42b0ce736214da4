import { AsyncLocalStorage } from 'node:async_hooks';
import {
  BaseError,
  createPublicClient,
  custom,
  ExecutionRevertedError,
  type Hex,
  HttpRequestError,
  type PublicClient,
  TimeoutError,
} from 'viem';
import { type How, type Node, UnansweredError } from './node/calling';
import { logsInMemory } from './node/kept';
import { nodeAt } from './node/node';
import { silentMs } from './node/post';

/** A call that the node refuses as one too many is retried for this long. */
const patienceMs = 60_000;
const kept = logsInMemory();
const unseen = new Map<string, (chain: PublicClient) => Promise<void>>();
const hurry = new AsyncLocalStorage<{ untilMs: number }>();

/**
 * Reads the chain at the node's pace. The URL may hold a key, and histories keep errors. So an
 * error names only the URL's origin and carries no cause. "Absent" is told only by a backend whose
 * head is as new as every block that the node has shown.
 */
export async function readChain<T>(
  url: string,
  read: (chain: PublicClient) => Promise<T>,
): Promise<T> {
  const node = nodeAt(url);
  const untilMs = hurry.getStore()?.untilMs;
  try {
    const client = clientOf(node, { patienceMs, untilMs, triesAway: 0, kept: kept(url) });
    await unseen.get(url)?.(client);
    unseen.delete(url);
    return await read(client);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const words = `The chain at ${node.origin} could not be read: ${reason}`;
    throw isPassing(error) ? new UnreadError(words) : new Error(words);
  }
}

/** Lets a node that nobody has seen yet be looked at before the first read of it that succeeds. */
export function lookBeforeReading(url: string, look: (chain: PublicClient) => Promise<void>): void {
  unseen.set(url, look);
}

/** The node is away, busy or behind. Another try may read what this one could not. */
class UnreadError extends Error {}

/** True if a reading has failed for a reason that passes, so that it says nothing of the chain. */
export function isTrouble(error: unknown): boolean {
  return error instanceof UnreadError;
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const away = [HttpRequestError, TimeoutError, UnansweredError];
  return error.walk((one) => away.some((kind) => one instanceof kind)) !== null;
}

/**
 * Somebody says that the chain has a block. For a while, a backend that lacks this block may call
 * nothing absent.
 */
export async function shouldHave(url: string, block: number | undefined): Promise<void> {
  const { heads } = nodeAt(url);
  if (block === undefined || block <= heads.newest()) return;
  if (heads.seen() === 0) await readChain(url, (chain) => chain.getBlockNumber());
  heads.claimed(block);
}

/** Lets all reads of some work give up after a time. Only refusals are waited out until then. */
export function hurried<T>(ms: number, work: () => Promise<T>): Promise<T> {
  return hurry.run({ untilMs: performance.now() + ms }, work);
}

/** The chain's library over a node. It keeps no answer, and leaves retries to the node. */
export function clientOf(node: Node, how: How): PublicClient {
  const request = ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
    node.request({ method, params }, how);
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
}

/** An address or a hash as the chain's library takes it. It may lack the checksum. */
export function hex(text: string): Hex {
  return `0x${text.slice(2)}`;
}

/** The words of an error that says that the chain has refused a call. Undefined for any other. */
export function revertOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const isRevert = error.walk((inner) => inner instanceof ExecutionRevertedError) !== null;
  return isRevert ? error.shortMessage : undefined;
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  if (error.walk((inner) => inner instanceof TimeoutError) !== null) {
    return `no answer within ${silentMs / 1_000} s`;
  }
  const cause = error.walk((inner) => inner instanceof HttpRequestError);
  const status = cause instanceof HttpRequestError ? cause.status : undefined;
  const isOwn = error.walk((inner) => inner instanceof UnansweredError) !== null;
  const words = isOwn ? `${error.details}.` : error.shortMessage;
  return `${words}${status === undefined ? '' : ` HTTP status ${status}.`}`;
}
