import { Context } from '@temporalio/activity';
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { inputOf } from '../../src/client/temporal/inputOf';
import { newestRun } from '../../src/client/temporal/startOnce';
import { type LineResult, lineResult } from '../../src/orders/payout';
import { shardType } from '../../src/orders/payout/shardId';
import { stop } from '../failure';
import { earlierRuns, resultOfRun } from '../guard/earlierRuns';

const text = z.string();
const lineHeld = z.looseObject({ lineId: text, to: text, amount: text, token: text });

const resultSchema = z.object({ lines: z.array(lineResult) });

/** The lines in the result of a run. Undefined if it has none that can be read. */
export async function resultIn(
  run: WorkflowExecutionDescription,
): Promise<LineResult[] | undefined> {
  if (run.status.name !== 'COMPLETED') return undefined;
  return resultSchema.safeParse(await resultOfRun(run)).data?.lines;
}

/** True for a line that needs nothing more. An unknown one is looked up until it is given up. */
export function hasLineEnded({ outcome, givenUp = false }: LineResult): boolean {
  return outcome === 'unknown' ? givenUp : outcome !== 'waiting';
}

/**
 * The last run of a shard. Undefined if there was none, or if Temporal has forgotten it. A workflow
 * of another type that has the id is none, and nothing is done with it.
 */
export async function knownRun(shardId: string): Promise<WorkflowExecutionDescription | undefined> {
  const run = await newestRun(Context.current().client, shardId);
  if (run === undefined || run.type === shardType) return run;
  if (run.status.name !== 'RUNNING') return undefined;
  throw stop(
    'NeedsOperator',
    `${shardId} is the id of a part of this payout, and a ${run.type} runs under it. Find out in ` +
      'Temporal who has started it. This payout goes on once that has ended.',
  );
}

/**
 * True for a run that has begun itself. Another one has sent nothing, and nobody has skipped a line
 * of it. It may have been ended before it knew of the runs before it.
 */
export function hasBegun({ memo, raw }: WorkflowExecutionDescription): boolean {
  const { firstRunId } = raw.workflowExecutionInfo ?? {};
  return memo?.began !== undefined && memo.began === firstRunId;
}

/** The newest of some runs. The run that another one continued as tells of both. */
export function newestOf(runs: readonly WorkflowExecutionDescription[]) {
  return runs.find(({ status }) => status.name !== 'CONTINUED_AS_NEW') ?? runs[0];
}

/** The lines of a shard, as its last run has left them. If that had not begun, an earlier one has. */
export async function linesLeft(run: WorkflowExecutionDescription): Promise<LineResult[]> {
  const { workflowId, status } = run;
  const own = await resultIn(run);
  if (own !== undefined) return own;
  if (status.name === 'RUNNING' || hasBegun(run)) return linesNow(workflowId);
  const begun = newestOf((await earlierRuns(workflowId)).filter(hasBegun));
  if (begun === undefined) return linesNow(workflowId);
  return (await resultIn(begun)) ?? (await linesNow(workflowId, begun.runId));
}

/** The lines of a shard, as it answers. A closed run answers as well. */
export function linesNow(shardId: string, runId?: string): Promise<LineResult[]> {
  const { workflow } = Context.current().client;
  return workflow.getHandle(shardId, runId).query<LineResult[]>('lines');
}

/** The input of a shard. A run that was ended before its first task has one, and answers no query. */
export async function orderOf(shardId: string): Promise<z.output<typeof orderSchema>> {
  const { client } = Context.current();
  const [order] = await inputOf(client, { workflowId: shardId });
  return orderSchema.parse(order);
}

const orderSchema = z.looseObject({ lines: z.array(lineHeld) });
