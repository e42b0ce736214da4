import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowIdReusePolicy,
} from '@temporalio/client';
import {
  type CloseAsked,
  closeIdOf,
  closeKind,
  startingClose,
} from '../../orders/schedule/dailyClose';
import { refuseOtherType, type StartedOrder } from './startOnce';

type Starting = {
  asked: CloseAsked;
  taskQueue: string;
  /** Start of its id, with the day: "close:2026-01-31". */
  begin: string;
  /** The first search attributes. */
  attributes: object;
  workflowIdReusePolicy?: WorkflowIdReusePolicy;
};

/** Starts the close of a day, or finds the run that has its id. */
export async function startClose(client: Client, starting: Starting): Promise<StartedOrder> {
  const { asked, taskQueue, begin, attributes } = starting;
  const workflowId = closeIdOf(asked, begin);
  const { workflowIdReusePolicy = 'ALLOW_DUPLICATE_FAILED_ONLY' } = starting;
  try {
    const { firstExecutionRunId: runId } = await client.workflow.start(closeKind, {
      workflowId,
      taskQueue,
      args: [asked],
      workflowIdReusePolicy,
      workflowIdConflictPolicy: 'FAIL',
      ...startingClose(asked),
      ...attributes,
    });
    return { workflowId, runId, outcome: 'started' };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const run = await client.workflow.getHandle(workflowId).describe();
    refuseOtherType(run, closeKind);
    const outcome = run.status.name === 'COMPLETED' ? 'completed' : 'attached';
    return { workflowId, runId: run.runId, outcome };
  }
}
