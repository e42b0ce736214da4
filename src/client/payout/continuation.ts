import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { BadOrderError } from '../../orders/input/read';
import { payoutReceipt } from '../../orders/payout';
import { memoryKey } from '../../orders/progress/status';
import { orderOfRun } from '../closedRun';
import { runsBeside } from '../temporal/runsOf';

/** The order that pays what the cancellation of a payout has left. */
type Continuation = { workflowId: string; order: Record<string, unknown> };

/**
 * Makes the order that continues a cancelled payout: the same order, continued once more. Throws a
 * BadOrderError for a payout that was not cancelled, or that has left no line.
 */
export async function continuation(
  client: Client,
  newest: WorkflowExecutionDescription,
): Promise<Continuation> {
  const { workflowId, runId, type, status } = newest;
  const refuse = (why: string) => new BadOrderError(`id: ${workflowId} ${why}`);
  if (type !== 'payout') throw refuse(`is a ${type}, and only a payout is continued.`);
  if (status.name === 'RUNNING') {
    throw refuse('is under way. Let a paused one go on with `steadfast resume`.');
  }
  const beside = await runsBeside(client, workflowId, { ownRunId: runId });
  const runs = [newest, ...beside.filter((run) => run.type === type)];
  const stopped = runs.find((run) => ['COMPLETED', 'CANCELLED'].includes(run.status.name));
  if (stopped === undefined) {
    throw refuse('was not cancelled. Start it again as it is: it pays no line twice.');
  }
  if (stopped.status.name === 'COMPLETED' && !(await hasLeft(client, stopped))) {
    throw refuse('has left no line by a cancellation, so that there is nothing to continue.');
  }
  // A restart that was refused may have had another order.
  const last = status.name === 'FAILED' ? stopped : newest;
  const order = await orderOfRun(client, last);
  const times = [order.continued, ...runs.map(continuedIn)].map((time) => Number(time ?? 0));
  return { workflowId, order: { ...order, continued: Math.max(...times) + 1 } };
}

const memorySchema = z.object({ continued: z.number().optional() });

/** The number of continuations that a run knows of. Its order may name fewer. */
function continuedIn({ memo }: WorkflowExecutionDescription): number | undefined {
  return memorySchema.safeParse(memo?.[memoryKey]).data?.continued;
}

/** True if the receipt of a payout tells of lines that its cancellation has left. */
async function hasLeft(
  client: Client,
  { workflowId, runId }: WorkflowExecutionDescription,
): Promise<boolean> {
  const handle = client.workflow.getHandle(workflowId, runId, { followRuns: false });
  return payoutReceipt.safeParse(await handle.result()).data?.stopped !== undefined;
}
