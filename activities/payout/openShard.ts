import { Context } from '@temporalio/activity';
import { z } from 'zod';
import { type LineResult, lineResult } from '../../src/orders/payout';
import {
  earlierRuns,
  type Memory,
  memoryOf,
  refuseOtherMoney,
  refuseOtherPlace,
  resultOf,
} from '../guard/earlierRuns';

/** What earlier runs of a shard mean for this one. */
export type OpenedShard = {
  /** The results of an earlier run that completed. This run continues from them. */
  before?: LineResult[];
  /** When the first of the earlier runs began. Undefined if Temporal remembers none. */
  bornAtMs?: number;
};

/** The guard of a shard: compares it with the earlier runs of its id. */
export async function openShard(): Promise<OpenedShard> {
  const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
  const now = await ownMemory();
  const runs = (await earlierRuns(workflowId)).flatMap((run) => {
    const memory = memoryOf(run);
    // The run that it continued as tells of both.
    if (memory === undefined || run.status.name === 'CONTINUED_AS_NEW') return [];
    // Its lines were replaced before any of them was sent.
    if (memory.began === false && memory.fingerprint !== now.fingerprint) return [];
    refuseOtherPlace(memory, now);
    refuseOtherMoney(memory, now);
    return [run];
  });
  if (runs.length === 0) return {};
  const completed = runs.find(({ status }) => status.name === 'COMPLETED');
  return {
    ...(completed === undefined ? {} : { before: await linesOf(completed) }),
    bornAtMs: Math.min(...runs.map(({ startTime }) => startTime.getTime())),
  };
}

/** What this very run was started with. */
async function ownMemory(): Promise<Memory> {
  const { client, info } = Context.current();
  const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
  const memory = memoryOf(await client.workflow.getHandle(workflowId, runId).describe());
  if (memory === undefined) throw new Error(`${workflowId} was not started by its payout.`);
  return memory;
}

const resultSchema = z.object({ lines: z.array(lineResult) });

async function linesOf(run: Parameters<typeof resultOf>[0]): Promise<LineResult[]> {
  return resultSchema.parse(await resultOf(run)).lines;
}
