import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { BadOrderError } from '../../../orders/input/read';
import { type Override, overrideKey, overrideType } from '../../../orders/schedule/override';
import { newestRun } from '../../temporal/startOnce';
import { awaited } from '../../waiting/waiting';
import type { NamedSchedule } from '../parts';

/**
 * Keeps the override of a period under the id of that period's order, or changes the one that is
 * kept there. Throws a BadOrderError if the order of the period has started.
 */
export async function keepOverride(
  place: NamedSchedule,
  workflowId: string,
  override: Override,
): Promise<void> {
  const { client, taskQueue, scheduleId } = place;
  const { memo } = override;
  const { period } = memo[overrideKey];
  type Workflow = (override: Override) => Promise<unknown>;
  try {
    await client.workflow.start<Workflow>(overrideType, {
      workflowId,
      taskQueue,
      args: [override],
      memo,
      // An earlier override of the period was terminated, and has sent nothing.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `${period} of ${scheduleId}, which was overridden`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await changeOverride(place, workflowId, override);
  }
}

/** Each change is of the very run that keeps the override, so that no order hears of it. */
async function changeOverride(
  { client }: NamedSchedule,
  workflowId: string,
  override: Override,
): Promise<void> {
  const runId = await standingOverride(client, workflowId);
  if (runId === undefined) throw hasStarted(workflowId);
  const handle = client.workflow.getHandle(workflowId, runId);
  try {
    await awaited(handle, () =>
      handle.executeUpdate<void, [Override]>('change', { args: [override] }),
    );
  } catch (error) {
    throw isTooLate(error) ? hasStarted(workflowId) : error;
  }
}

/** Takes an override back. It has sent nothing, so the usual order may have its id. */
export async function endOverride(
  { client }: NamedSchedule,
  workflowId: string,
  why: string,
): Promise<void> {
  const runId = await standingOverride(client, workflowId);
  if (runId === undefined) throw hasStarted(workflowId);
  try {
    // Ends this run alone: an order that it has become goes on.
    await client.workflow.getHandle(workflowId, runId).terminate(why);
  } catch (error) {
    throw isTooLate(error) ? hasStarted(workflowId) : error;
  }
}

/** The run that keeps the override of a period. Undefined if none does. */
export async function standingOverride(
  client: NamedSchedule['client'],
  workflowId: string,
): Promise<string | undefined> {
  const run = await newestRun(client, workflowId);
  const isStanding = run?.type === overrideType && run.status.name === 'RUNNING';
  return isStanding ? run.runId : undefined;
}

function isTooLate(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
}

function hasStarted(workflowId: string): BadOrderError {
  return new BadOrderError(
    `period: its order has started, or is over, so it keeps what it pays: ${workflowId}. See it ` +
      `with: npx --no-install steadfast status ${workflowId}`,
  );
}
