import type { WorkflowHandle } from '@temporalio/client';
import { taskFault } from '../temporal/taskFault';

/** Temporal's number for a queue of workflows. */
const workflowQueue = 1;

/**
 * The reason why no worker begins an order, as a sentence with a way out. Undefined if one has
 * begun it, or if workers of its queue have been there in the last five minutes.
 */
export async function unserved(
  { client, workflowId }: Pick<WorkflowHandle, 'client' | 'workflowId'>,
  faultOf = taskFault,
): Promise<string | undefined> {
  const run = await client.getHandle(workflowId).describe();
  if (run.status.name !== 'RUNNING') return undefined;
  const { workflowService, options } = client;
  const { namespace } = options;
  const fault = await faultOf({ workflowService, options: { namespace } }, run);
  if (fault !== undefined) return `Workers cannot go on with it: ${fault.replace(/\.$/, '')}.`;
  const { taskQueue } = run;
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: workflowQueue,
  });
  if (pollers.length > 0) return undefined;
  return (
    `No worker polls the task queue "${taskQueue}" (STEADFAST_TASK_QUEUE). Set it to that of the ` +
    'workers, or start one there: npx --no-install steadfast worker.'
  );
}
