import { Context, sleep } from '@temporalio/activity';

/**
 * Asks Temporal to cancel this activity's run. A workflow cannot close as cancelled on its own, and
 * a cancelled order must not show as failed.
 */
export async function cancelRun(): Promise<void> {
  const { client, info } = Context.current();
  const run = info.workflowExecution;
  if (run !== undefined) await client.workflow.getHandle(run.workflowId, run.runId).cancel();
}

/** Waits, in milliseconds. */
export async function holdFor({ ms }: { ms: number }): Promise<void> {
  await sleep(ms);
}
