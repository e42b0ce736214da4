import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../../../src/local/childProcess';
import { report } from '../../errors/report';
import type { SandboxNode } from './buildNode';
import { post } from './callNode';
import { UnfinishedBlockError } from './mineBlock';
import { isLate, isUnanswered } from './nodeFault';
import { RecordMismatchError } from './replayBlocks';

/** Makes a node with the whole chain on it. `noteStarted` hears of its process at once. */
type BuildNode = (noteStarted: (process: Child) => void) => Promise<SandboxNode>;

/** The chain's node: when its process ends or hangs, another is built that takes its place. */
export type LiveNode = Awaited<ReturnType<typeof startLiveNode>>;

type Question<Answer> = (node: SandboxNode) => Promise<Answer>;

/** The number of times that the first node may fail before the chain's start fails. */
const firstTriesMax = 3;
const pauseMsMax = 5_000;
/** The longest wait of a question for a node. Our clients all give up earlier. */
export const patienceMs = 60_000;
const probeMsMax = 2_000;
/**
 * A connection may fail once while the node is well. A node whose connections fail again and again
 * is not.
 */
const failedAsksMax = 3;

/** Builds the first node. Throws when that cannot be done. */
export async function startLiveNode(build: BuildNode) {
  const stopping = new AbortController();
  let newest: Child | undefined;
  let tellLost: (reason: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    tellLost = resolve;
  });

  const rebuild = async (triesMax: number): Promise<SandboxNode> => {
    for (let tries = 1; ; tries++) {
      try {
        const node = await build((process) => {
          newest = process;
          if (stopping.signal.aborted) void process.kill();
        });
        void replaceOnceEnded(node);
        return node;
      } catch (error) {
        if (stopping.signal.aborted || tries >= triesMax) throw error;
        if (error instanceof RecordMismatchError) throw error;
        report("The chain's node could not be built, and is tried again", error);
      }
      await sleep(Math.min(50 * 2 ** tries, pauseMsMax), undefined, { signal: stopping.signal });
    }
  };
  let current = rebuild(firstTriesMax);

  const replaceOnceEnded = async (node: SandboxNode): Promise<void> => {
    const code = await node.exited;
    if (stopping.signal.aborted) return;
    report('The chain is being rebuilt, since its node has ended', `code ${code}`);
    current = rebuild(Number.POSITIVE_INFINITY);
    current.catch((reason) => {
      if (!stopping.signal.aborted) tellLost(reason);
    });
  };
  await current;

  return {
    /**
     * Asks the node as it is now. Waits while one is being built. A question that gets no answer is
     * put again, so it has to be one that may be asked twice.
     */
    ask: <Answer>(question: Question<Answer>) =>
      askPatiently({ current: () => current, stopping: stopping.signal }, question),
    /** Asks once, for what must not be done twice. */
    askOnce: async <Answer>(question: Question<Answer>): Promise<Answer> => {
      const node = await inTime(current, patienceMs);
      try {
        return await question(node);
      } catch (error) {
        // The question may take effect on this node later, or has done so by half. It must end.
        const isBroken = isUnanswered(error) || error instanceof UnfinishedBlockError;
        if (isBroken) await node.kill();
        throw error;
      }
    },
    /** Ends the node, whose chain is not to be trusted. Another takes its place. */
    replace: async (): Promise<void> => {
      const node = await inTime(current, patienceMs);
      await node.kill();
    },
    /** Process id of the newest node. */
    pid: () => newest?.pid ?? 0,
    /** Resolves with the reason when there can be no other node: the chain is not the recorded one. */
    lost,
    stop: async (): Promise<void> => {
      stopping.abort();
      await newest?.stop();
      // A node that is being built fails with its process, and nothing of it stays behind.
      await current.catch(() => {});
      await newest?.stop();
    },
  };
}

async function askPatiently<Answer>(
  { current, stopping }: { current: () => Promise<SandboxNode>; stopping: AbortSignal },
  question: Question<Answer>,
): Promise<Answer> {
  const deadlineMs = Date.now() + patienceMs;
  let failed: { node: SandboxNode | undefined; asks: number } = { node: undefined, asks: 0 };
  for (;;) {
    const node = await inTime(current(), deadlineMs - Date.now());
    try {
      return await question(node);
    } catch (error) {
      const isLast = stopping.aborted || Date.now() >= deadlineMs;
      if (isLast || !isUnanswered(error)) throw error;
      failed = { node, asks: failed.node === node ? failed.asks + 1 : 1 };
      if (isLate(error) ? await hangs(node) : failed.asks >= failedAsksMax) await node.kill();
      else await Promise.race([node.exited, sleep(50)]);
    }
  }
}

/** A question may take its time. A node that cannot even say which chain it has is of no use. */
async function hangs({ rpcUrl }: SandboxNode): Promise<boolean> {
  const probe = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  return post(rpcUrl, probe, probeMsMax).then(
    () => false,
    () => true,
  );
}

async function inTime<Value>(promise: Promise<Value>, timeMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error('The chain is being rebuilt, which takes longer than a call can wait.');
    timer = setTimeout(() => reject(error), Math.max(0, timeMs));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
