import { type ApplicationFailure, Context, sleep } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { requiredTsToMs } from '@temporalio/common/lib/time';
import { remembering } from '../src/custody/sharing';
import { shardIdOf } from '../src/orders/payout/shardId';
import { stop } from './failure';

/**
 * Asks Temporal to cancel this activity's run. A workflow cannot close as cancelled on its own, and
 * a cancelled order must not show as failed.
 */
export async function cancelRun(): Promise<void> {
  const { client, info } = Context.current();
  const run = info.workflowExecution;
  if (run !== undefined) await client.workflow.getHandle(run.workflowId, run.runId).cancel();
}

/**
 * True if the workflow of an order, or of a part of it, has asked for this by a local activity.
 * A local activity runs in the worker of its workflow. Nobody else can ask for it.
 */
export function isOwnOrder(orderId: string): boolean {
  const { info } = Context.current();
  const { workflowId = '' } = info.workflowExecution ?? {};
  const isOwn = workflowId === orderId || workflowId.startsWith(shardIdOf(orderId, ''));
  return info.isLocal && isOwn;
}

/** Waits, in milliseconds. */
export async function holdFor({ ms }: { ms: number }): Promise<void> {
  await sleep(ms);
}

/** Leaves the call to the service its ten of the twelve seconds that an attempt has. */
const patienceMs = 1_500;

/** Asks Temporal something before a call to the service. Rejects without an answer in time. */
export async function askTemporal<T>(ask: (client: Client) => Promise<T>): Promise<T> {
  const { client } = Context.current();
  // A deadline is for one try, and the client tries again by itself.
  const late = new Promise<never>((_, fail) => {
    const words = `no answer within ${patienceMs / 1_000} s`;
    setTimeout(() => fail(new Error(words)), patienceMs).unref();
  });
  return Promise.race([client.withDeadline(Date.now() + patienceMs, () => ask(client)), late]);
}

/** For how long this attempt has waited for a worker, between Temporal's clock and our own. */
export function roughQueueWaitMs(): number {
  return Date.now() - Context.current().info.scheduledTimestampMs;
}

/** Attempts of one activity have waited together. */
const waits = remembering<number>({ ms: 60_000 });

/** The same by Temporal's clock alone. If Temporal does not answer, the call is not made now. */
export function queueWaitMs(): Promise<number> {
  const { activityId, workflowExecution, scheduledTimestampMs } = Context.current().info;
  const { workflowId = '', runId } = workflowExecution ?? {};
  return waits(JSON.stringify([workflowId, runId, activityId]), async () => {
    try {
      const { raw } = await askTemporal((client) =>
        client.workflow.getHandle(workflowId, runId).describe(),
      );
      const own = raw.pendingActivities?.find((one) => one.activityId === activityId);
      return requiredTsToMs(own?.lastStartedTime, 'lastStartedTime') - scheduledTimestampMs;
    } catch (error) {
      throw unasked(`for how long this attempt of ${workflowId} has waited`, error);
    }
  });
}

/** The call to the service was not made, since Temporal did not answer. Its workflow retries it. */
export function unasked(question: string, error: unknown): ApplicationFailure {
  const why = error instanceof Error ? error.message : String(error);
  return stop('Unasked', `Temporal did not say ${question}: ${why}`, { ambiguous: false });
}
