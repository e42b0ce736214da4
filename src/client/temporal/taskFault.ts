import type { Client } from '@temporalio/client';

/** The part of a client that is needed. */
type Asked = Pick<Client, 'workflowService'> & { options: { namespace: string } };

/** Enough to find the last task of a workflow that no worker can go on with. */
const eventsRead = 10;

type Execution = { workflowId: string; runId: string };

/**
 * Tells why workers cannot go on with a workflow, such as a name that none of them knows. Returns
 * undefined where the last task was done, or where no worker has tried.
 */
export async function taskFault(asked: Asked, execution: Execution): Promise<string | undefined> {
  return faultIn(await lastEvents(asked, execution));
}

/** The same for a workflow that no worker has ever begun. Undefined for any other one. */
export async function firstTaskFault(
  asked: Asked,
  execution: Execution,
): Promise<string | undefined> {
  const events = await lastEvents(asked, execution);
  const isWhole = events.some((event) => event.workflowExecutionStartedEventAttributes);
  const isBegun = events.some((event) => event.workflowTaskCompletedEventAttributes);
  return isWhole && !isBegun ? faultIn(events) : undefined;
}

/** The last events of a history, newest first. */
async function lastEvents(
  { workflowService, options: { namespace } }: Asked,
  execution: Execution,
) {
  const asked = { namespace, execution, maximumPageSize: eventsRead };
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse(asked);
  return history?.events ?? [];
}

function faultIn(events: Awaited<ReturnType<typeof lastEvents>>): string | undefined {
  for (const event of events) {
    if (event.workflowTaskCompletedEventAttributes) return undefined;
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed) return failed.failure?.message?.split('\n')[0] ?? 'it does not say why';
  }
  return undefined;
}
