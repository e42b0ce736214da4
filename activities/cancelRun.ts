import { Context } from '@temporalio/activity';

/**
 * Asks Temporal to cancel the run that this activity belongs to. A workflow cannot close as
 * cancelled by its own will, and an order that was cancelled should be seen as that, not as failed.
 */
export async function cancelRun(): Promise<void> {
  const { client, info } = Context.current();
  const run = info.workflowExecution;
  if (run !== undefined) await client.workflow.getHandle(run.workflowId, run.runId).cancel();
}
