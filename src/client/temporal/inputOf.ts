import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';

/**
 * Reads the arguments that a run was started with, of the last run by default. A continued run has
 * those of the one before.
 */
export async function inputOf(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId?: string },
): Promise<unknown[]> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, ...(runId && { runId }) },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const payloads = started?.input?.payloads;
  return decodeArrayFromPayloads(client.options.loadedDataConverter, payloads);
}
