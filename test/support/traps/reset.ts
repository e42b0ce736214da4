import { randomUUID } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import type { Orders } from '../orders';

const { ResetReapplyExcludeType } = temporal.api.enums.v1;

/** The events to which a run can be reset: the ends of its workflow tasks. */
export async function boundariesOf(
  orders: Orders,
  { id, runId }: { id: string; runId: string },
): Promise<number[]> {
  const { events } = await orders.client.workflow.getHandle(id, runId).fetchHistory();
  return (events ?? [])
    .filter((event) => event.workflowTaskCompletedEventAttributes)
    .map((event) => Number(event.eventId));
}

/**
 * Resets a run to one of its boundaries, and returns the new run. Signals and updates after the
 * boundary are applied again, unless excluded.
 */
export async function resetTo(
  orders: Orders,
  { id, runId }: { id: string; runId: string },
  options: { boundary: number; reapply: boolean },
): Promise<string> {
  const excluded = options.reapply
    ? []
    : [
        ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL,
        ResetReapplyExcludeType.RESET_REAPPLY_EXCLUDE_TYPE_UPDATE,
      ];
  const reset = await orders.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: id, runId },
    reason: 'a test',
    workflowTaskFinishEventId: options.boundary as never,
    requestId: randomUUID(),
    resetReapplyType: temporal.api.enums.v1.ResetReapplyType.RESET_REAPPLY_TYPE_ALL_ELIGIBLE,
    resetReapplyExcludeTypes: excluded,
  });
  return reset.runId;
}
