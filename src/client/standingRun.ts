import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { paidWords } from '../orders/progress/paidWords';
import { runsBeside } from './temporal/runsOf';

/** The earlier run of an id that has a receipt, though the newest run has none. */
export type PaidBefore = {
  runId: string;
  /** Its payments, as a phrase. */
  words: string;
  receipt: unknown;
};

/** The newest completed run of an id beside one that has ended without a receipt. */
async function completedBefore(
  client: Client,
  { workflowId, runId, type }: WorkflowExecutionDescription,
): Promise<WorkflowExecutionDescription | undefined> {
  const runs = await runsBeside(client, workflowId, { ownRunId: runId });
  return runs.find((run) => run.status.name === 'COMPLETED' && run.type === type);
}

/** The payments of an earlier run. A later refusal must not hide them. */
export async function paidBefore(
  client: Client,
  newest: WorkflowExecutionDescription,
): Promise<PaidBefore | undefined> {
  const run = await completedBefore(client, newest);
  if (run === undefined) return undefined;
  const { workflowId, runId } = run;
  const handle = client.workflow.getHandle(workflowId, runId, { followRuns: false });
  const receipt: unknown = await handle.result();
  return { runId, words: paidWords(receipt), receipt };
}

/** The run that stands for an order: the newest one, or the completed one before a refusal. */
export async function standingRun(
  client: Client,
  newest: WorkflowExecutionDescription,
): Promise<WorkflowExecutionDescription> {
  if (newest.status.name !== 'FAILED') return newest;
  return (await completedBefore(client, newest)) ?? newest;
}
