import { Context } from '@temporalio/activity';
import {
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { LineResult } from '../../src/orders/payout';
import { type Tally, tallyOf } from '../../src/orders/payout/tally';
import { memoryKey } from '../../src/orders/progress/status';
import { refused } from './refusing';
import { behindOrders, type ShardOrder } from './shardOrder';

/** Something that is wanted of the shards of a payout. */
export type Wish = { shardIds: string[]; update: 'resolve' | 'skip'; request: object };

/** Where a shard stands that has not been heard of. */
export type Seen = { isOver: boolean; tally: Tally };

/** How many lines of which part were attempted anew. */
export type Retried = { shardId: string; lines: number };

/** What a payout wants of its shards and can learn only from them. */
export const shardActivities = {
  /** Asks one shard after another; refused where every one of them refuses. */
  async askShards({ shardIds, update, request }: Wish): Promise<string[]> {
    const { client, heartbeat } = Context.current();
    const answers: string[] = [];
    let refusal = 'No part of this payout is under way.';
    for (const shardId of shardIds) {
      try {
        const handle = client.workflow.getHandle(shardId);
        answers.push(await handle.executeUpdate<string, [object]>(update, { args: [request] }));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refusal = error.cause instanceof Error ? error.cause.message : refusal;
      }
      heartbeat();
    }
    if (answers.length === 0) throw refused(refusal);
    return answers;
  },

  /**
   * Attempts failed lines anew: those that are named, or all. A shard that is done is started again
   * for it, and goes on from what it came to.
   */
  async retryLines(wish: { shardIds: string[]; lineIds?: string[] }): Promise<Retried[]> {
    const { client, heartbeat } = Context.current();
    const retried: Retried[] = [];
    for (const shardId of wish.shardIds) {
      const handle = client.workflow.getHandle(shardId);
      const run = await handle.describe();
      const { lineIds } = wish;
      const lines =
        run.status.name === 'RUNNING'
          ? await handle.executeUpdate<number, [object]>('retry', { args: [{ lineIds }] })
          : await startForRetry(handle, run, lineIds);
      if (lines > 0) retried.push({ shardId, lines });
      heartbeat();
    }
    return retried;
  },

  /** Sees to it that a shard is under way or done: one that was ended from outside is started. */
  async seeToShard({ shardId }: { shardId: string }): Promise<Seen> {
    const { client } = Context.current();
    const handle = client.workflow.getHandle(shardId);
    const run = await handle.describe();
    const { name } = run.status;
    const lines = await handle.query<LineResult[]>('lines');
    if (name !== 'RUNNING' && name !== 'COMPLETED') await startAgain(handle, run, {});
    return { isOver: name === 'COMPLETED', tally: tallyOf(lines) };
  },
};

async function startForRetry(
  handle: WorkflowHandle,
  run: WorkflowExecutionDescription,
  lineIds: string[] | undefined,
): Promise<number> {
  const lines = await handle.query<LineResult[]>('lines');
  const wanted = lines.filter(
    ({ lineId, outcome }) => outcome === 'failed' && (lineIds?.includes(lineId) ?? true),
  );
  const generations = wanted.map(({ lineId, generation }) => [lineId, generation + 1] as const);
  if (wanted.length > 0) await startAgain(handle, run, Object.fromEntries(generations));
  return wanted.length;
}

/** A run of the same order, and of the same memory, that goes on where the last one ended. */
async function startAgain(
  handle: WorkflowHandle,
  { memo, type }: WorkflowExecutionDescription,
  raised: Record<string, number>,
): Promise<void> {
  const { client, info } = Context.current();
  const order = await handle.query<ShardOrder>('order');
  const generations = { ...order.generations, ...raised };
  await client.workflow.start(type, {
    workflowId: handle.workflowId,
    taskQueue: info.taskQueue,
    args: [{ ...order, generations }],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    memo: { [memoryKey]: memo?.[memoryKey] },
    priority: behindOrders,
  });
}

/** It was heard and refused, or came too late for a shard that is done. */
function isRefusal(error: unknown): error is WorkflowUpdateFailedError | WorkflowNotFoundError {
  return error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError;
}
