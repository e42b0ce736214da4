import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';

const namespace = 'default';
const lookMs = 100;

/**
 * Has Temporal forget an id, as it does by itself after its retention. Returns false if it still
 * remembers the id at the deadline.
 */
export async function forgetId(client: Client, id: string, deadlineMs: number): Promise<boolean> {
  for (; Date.now() < deadlineMs; await sleep(lookMs)) {
    if (await isForgotten(client, id)) return true;
  }
  return false;
}

/** The server postpones a deletion while it still writes the end of a run, so ask again. */
async function isForgotten({ workflow, workflowService }: Client, id: string): Promise<boolean> {
  let count = 0;
  for await (const { runId } of workflow.list({ query: `WorkflowId = '${id}'` })) {
    count += 1;
    const request = { namespace, workflowExecution: { workflowId: id, runId } };
    await workflowService.deleteWorkflowExecution(request).catch(() => {});
  }
  return count === 0 && (await isUnknown(() => workflow.getHandle(id).describe()));
}

async function isUnknown(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}
