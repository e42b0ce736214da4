import { Context } from '@temporalio/activity';
import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { z } from 'zod';
import { type LineResult, lineResult } from '../../src/orders/payout';
import { type LineTarget, retryFault } from '../../src/orders/payout/lineTarget';
import { hashOf } from '../../src/orders/payout/readLines';
import { type Tally, tallyOf } from '../../src/orders/payout/tally';
import { memoryKey } from '../../src/orders/progress/status';
import { resultOf } from '../guard/earlierRuns';
import { refused } from './refusing';
import { behindOrders, type ShardOrder } from './shardOrder';

/** Something that is wanted of the shards of a payout. */
export type Wish = { shardIds: string[]; update: 'resolve' | 'skip'; request: object };

/** The end of a part, as the result of its shard tells it. */
export type PartResult = { runId: string; tally: Tally; digest: string };

/** The state of a shard. `forgotten`: Temporal knows neither its lines nor its result. */
export type Seen = { shardId: string } & (
  | { state: 'over'; result: PartResult }
  | { state: 'running' | 'startedAgain' | 'forgotten' }
);

/** A shard to look at. One that says that it is over is given a moment to close. */
export type Seeing = { shardId: string; isClosing: boolean };

/** Attempts to retry. */
export type Retrying = { shardIds: string[]; targets: LineTarget[] };

/** A shard that says that it is over closes within this time, unless its worker is lost. */
const closingMs = 2_000;

/** What a payout wants of its shards and can learn only from them. */
export const shardActivities = {
  /** Asks one shard after another. Throws if all of them refuse. */
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
   * Retries lines under new keys: those alone whose named generation has failed. Throws before it
   * retries any if one has not. A closed shard is started again.
   */
  async retryLines({ shardIds, targets }: Retrying): Promise<void> {
    const { client, heartbeat } = Context.current();
    const left = new Map(targets.map((target) => [target.lineId, target]));
    const wanted: { handle: WorkflowHandle; own: LineTarget[] }[] = [];
    for (const shardId of shardIds) {
      const handle = client.workflow.getHandle(shardId);
      const own = (await linesOf(await handle.describe())).flatMap((line) => {
        const target = left.get(line.lineId);
        left.delete(line.lineId);
        const fault = target && retryFault(target, line);
        if (fault !== undefined) throw refused(fault);
        return target ?? [];
      });
      if (own.length > 0) wanted.push({ handle, own });
      heartbeat();
    }
    const [missing] = left.values();
    if (missing !== undefined) throw refused(String(retryFault(missing, undefined)));
    for (const { handle, own } of wanted) {
      await retryIn(handle, own);
      heartbeat();
    }
  },

  /**
   * Reads the results of shards. One that closed without a result, or before all of its lines had
   * ended, is started again. It looks its lines up first, so nothing is paid twice.
   */
  async seeToShards(shards: readonly Seeing[]): Promise<Seen[]> {
    const { heartbeat } = Context.current();
    return Promise.all(
      shards.map(async (shard) => {
        const seen = await seeTo(shard);
        heartbeat();
        return seen;
      }),
    );
  },
};

async function seeTo({ shardId, isClosing }: Seeing): Promise<Seen> {
  const handle = Context.current().client.workflow.getHandle(shardId);
  try {
    const run = await latestRun(handle, isClosing ? closingMs : 0);
    if (run.status.name === 'RUNNING') return { shardId, state: 'running' };
    const lines = await endOf(run);
    if (lines?.every(({ outcome }) => outcome !== 'waiting')) {
      const result = { runId: run.runId, tally: tallyOf(lines), digest: hashOf(lines) };
      return { shardId, state: 'over', result };
    }
    await startAgain(handle, run, {});
    return { shardId, state: 'startedAgain' };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { shardId, state: 'forgotten' };
    if (error instanceof WorkflowExecutionAlreadyStartedError) return { shardId, state: 'running' };
    throw error;
  }
}

/** The latest run of a shard, once it has closed or the time is over. */
async function latestRun(
  handle: WorkflowHandle,
  patienceMs: number,
): Promise<WorkflowExecutionDescription> {
  for (const untilMs = Date.now() + patienceMs; ; ) {
    const run = await handle.describe();
    if (run.status.name !== 'RUNNING' || Date.now() >= untilMs) return run;
    await Context.current().sleep(patienceMs / 20);
  }
}

const resultSchema = z.object({ lines: z.array(lineResult) });

/** The lines in the result of a run. Undefined if it has none that can be read. */
async function endOf(run: WorkflowExecutionDescription): Promise<LineResult[] | undefined> {
  if (run.status.name !== 'COMPLETED') return undefined;
  return resultSchema.safeParse(await resultOf(run)).data?.lines;
}

/** The lines of a run: its result, or its answer. */
export async function linesOf(run: WorkflowExecutionDescription): Promise<LineResult[]> {
  const { workflow } = Context.current().client;
  return (await endOf(run)) ?? workflow.getHandle(run.workflowId).query<LineResult[]>('lines');
}

async function retryIn(handle: WorkflowHandle, targets: LineTarget[]): Promise<void> {
  for (;;) {
    const run = await handle.describe();
    try {
      if (run.status.name === 'RUNNING') {
        await handle.executeUpdate<void, [LineTarget[]]>('retry', { args: [targets] });
      } else {
        const raised = targets.map(({ lineId, generation }) => [lineId, generation + 1]);
        await startAgain(handle, run, Object.fromEntries(raised));
      }
      return;
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) throw refused(error.cause?.message ?? '');
      // It closed, or somebody started it, between the question and the wish.
      const isMoved =
        error instanceof WorkflowNotFoundError ||
        error instanceof WorkflowExecutionAlreadyStartedError;
      if (!isMoved) throw error;
    }
  }
}

/** Starts a run of the same order with the same memory. It goes on where the last one ended. */
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
    workflowIdConflictPolicy: 'FAIL',
    memo: { [memoryKey]: memo?.[memoryKey] },
    priority: behindOrders,
  });
}

/** It was heard and refused, or came too late for a shard that is done. */
function isRefusal(error: unknown): error is WorkflowUpdateFailedError | WorkflowNotFoundError {
  return error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError;
}
