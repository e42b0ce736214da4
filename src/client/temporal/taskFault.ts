import type { Client } from '@temporalio/client';

/** The part of a client that is needed. */
type Asked = Pick<Client, 'workflowService'> & { options: { namespace: string } };

/** Enough to find the last task of a workflow that no worker can go on with. */
const eventsRead = 10;

/**
 * Tells why workers cannot go on with a workflow, such as a name that none of them knows. Returns
 * undefined where the last task was done, or where no worker has tried.
 */
export async function taskFault(
  { workflowService, options: { namespace } }: Asked,
  execution: { workflowId: string; runId: string },
): Promise<string | undefined> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace,
    execution,
    maximumPageSize: eventsRead,
  });
  for (const event of history?.events ?? []) {
    if (event.workflowTaskCompletedEventAttributes) return undefined;
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed) return failed.failure?.message?.split('\n')[0] ?? 'it does not say why';
  }
  return undefined;
}
