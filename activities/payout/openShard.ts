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
  /** The lines as the last of the earlier runs left them. This run continues from them. */
  before?: LineResult[];
  /** When the first of the earlier runs began. Undefined if none has sent anything. */
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
    if (memory.began === false) return [];
    refuseOtherPlace(memory, now);
    refuseOtherMoney(memory, now);
    return [run];
  });
  const [newest] = runs;
  if (newest === undefined) return {};
  const before = await linesOf(newest);
  return {
    ...(before === undefined ? {} : { before }),
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

const linesSchema = z.array(lineResult);

/** The lines in the result of a run, or in its answer to a query. Undefined if it tells neither. */
async function linesOf(run: Parameters<typeof resultOf>[0]): Promise<LineResult[] | undefined> {
  const { workflowId, runId } = run;
  if (run.status.name === 'COMPLETED') {
    return z.object({ lines: linesSchema }).parse(await resultOf(run)).lines;
  }
  try {
    const handle = Context.current().client.workflow.getHandle(workflowId, runId);
    return linesSchema.safeParse(await handle.query('lines')).data;
  } catch {
    return undefined;
  }
}
