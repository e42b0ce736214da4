import { Context } from '@temporalio/activity';
import { type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';

/** The last run of a shard. Undefined if there was none, or if Temporal has forgotten it. */
export async function knownRun(shardId: string): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await Context.current().client.workflow.getHandle(shardId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
