import { Context } from '@temporalio/activity';
import {
  QueryNotRegisteredError,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { LineResult } from '../../src/orders/payout';
import type { Tries } from '../attempt';
import { stop } from '../failure';
import {
  earlierRuns,
  refuseOtherMoney,
  refuseOtherPlace,
  startOfFirst,
} from '../guard/earlierRuns';
import { memoryOf } from '../guard/memory';
import { hasBegun, linesNow, newestOf, resultIn } from './shardRuns';

/** The state in which a run of a shard begins, by its earlier runs. */
export type OpenedShard = {
  /** The lines as the last of the earlier runs left them. This run continues from them. */
  before: LineResult[];
  /** When the first run began that may have sent something. */
  bornAtMs: number;
  /** The same, and undefined if Temporal knows no earlier run. */
  ranSinceMs?: number | undefined;
  /** When the last of them ended. Undefined if there is none. */
  endedAtMs?: number;
  /** True if the last of them has completed, so that a receiver was told of all that ended in it. */
  isTold?: boolean;
  others: Tries;
};

/** The guard of a shard: compares it with the earlier runs of its id. */
export async function openShard(): Promise<OpenedShard> {
  const { client, info } = Context.current();
  const { workflowId = '', runId = '' } = info.workflowExecution ?? {};
  const now = memoryOf(await client.workflow.getHandle(workflowId, runId).describe());
  if (now === undefined) throw stop('Refused', `${workflowId} was not started by its payout.`);
  const runs = (await earlierRuns(workflowId)).filter((run) => {
    const memory = memoryOf(run);
    if (memory === undefined || !hasBegun(run)) return false;
    refuseOtherPlace(memory, now);
    refuseOtherMoney(memory, now);
    return true;
  });
  const newest = newestOf(runs);
  if (newest === undefined) return { before: [], bornAtMs: Date.now(), others: 'clean' };
  const bornAtMs = startOfFirst(runs);
  const endedAtMs = Math.max(...runs.map(({ closeTime }) => closeTime?.getTime() ?? Date.now()));
  const times = { bornAtMs, ranSinceMs: bornAtMs, endedAtMs };
  const isTold = newest.status.name === 'COMPLETED';
  return { before: await linesLeftBy(newest), ...times, isTold, others: 'ambiguous' };
}

/** The lines in the result of a run, or in its answer. None if it tells neither, also later. */
async function linesLeftBy(run: WorkflowExecutionDescription): Promise<LineResult[]> {
  const lines = await resultIn(run);
  return lines ?? linesNow(run.workflowId, run.runId).catch(noneUnlessLater);
}

/** A run that gives no answer in time is asked again: what people were told would be lost. */
function noneUnlessLater(error: unknown): [] {
  if (error instanceof QueryNotRegisteredError || error instanceof WorkflowNotFoundError) return [];
  throw error;
}
