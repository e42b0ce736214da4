import { Context, sleep } from '@temporalio/activity';
import { optionalTsToMs } from '@temporalio/common/lib/time';

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

/** Leaves the call to the service its ten of the twelve seconds that an attempt has. */
const patienceMs = 1_500;

/** For how long this attempt has waited for a worker, between Temporal's clock and our own. */
export function roughQueueWaitMs(): number {
  return Date.now() - Context.current().info.scheduledTimestampMs;
}

/** The same by Temporal's clock alone. If Temporal does not answer, the rough time counts. */
export async function queueWaitMs(): Promise<number> {
  const { client, info } = Context.current();
  const { activityId, scheduledTimestampMs, workflowExecution } = info;
  const roughMs = roughQueueWaitMs();
  if (workflowExecution === undefined) return roughMs;
  const { workflowId, runId } = workflowExecution;
  try {
    const { raw } = await client.withDeadline(Date.now() + patienceMs, () =>
      client.workflow.getHandle(workflowId, runId).describe(),
    );
    const own = raw.pendingActivities?.find((one) => one.activityId === activityId);
    const startedMs = optionalTsToMs(own?.lastStartedTime);
    return startedMs === undefined ? roughMs : startedMs - scheduledTimestampMs;
  } catch {
    return roughMs;
  }
}
