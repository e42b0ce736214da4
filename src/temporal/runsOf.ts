import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

/** The runs of a workflow id that Temporal still knows, except one, newest first. */
export async function runsBeside(
  client: Pick<Client, 'workflow'>,
  workflowId: string,
  ownRunId: string | undefined,
): Promise<WorkflowExecutionDescription[]> {
  const quoted = workflowId.replaceAll('\\', '\\\\').replaceAll("'", "''");
  const runs: WorkflowExecutionDescription[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${quoted}'` })) {
    if (runId === ownRunId) continue;
    // The list lags behind. The description does not.
    runs.push(await client.workflow.getHandle(workflowId, runId).describe());
  }
  return runs.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
}
