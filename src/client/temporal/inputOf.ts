import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';

/** Reads the arguments that a run was started with. A continued run has those of the one before. */
export async function inputOf(
  client: Client,
  { workflowId, runId }: Pick<WorkflowExecutionDescription, 'workflowId' | 'runId'>,
): Promise<unknown[]> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const payloads = started?.input?.payloads;
  return decodeArrayFromPayloads(client.options.loadedDataConverter, payloads);
}
