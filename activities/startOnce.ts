import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { OrderKind, ReadOrder } from '../src/orders/kinds';
import { refuseOtherOrder, startingOf } from '../src/orders/starting';

/** How the start of an order went: a new run, one that was under way, or one that had completed. */
export type StartedOrder = {
  workflowId: string;
  runId: string;
  outcome: 'started' | 'attached' | 'completed';
};

type Starting = {
  kind: OrderKind;
  workflowId: string;
  taskQueue: string;
  /** As it was given, which is what its guard reads; and as it reads. */
  order: object;
  read: ReadOrder<OrderKind>;
  /** What it is found by before its guard has said more. */
  attributes: object;
  workflowIdReusePolicy?: WorkflowIdReusePolicy;
};

/**
 * Starts the workflow of an order, or finds the run that has its id, whoever asks: a caller or a
 * schedule. Throws a BadOrderError where the id belongs to another order.
 */
export async function startOnce(client: Client, starting: Starting): Promise<StartedOrder> {
  const { kind, workflowId, taskQueue, order, read, attributes, workflowIdReusePolicy } = starting;
  try {
    const { firstExecutionRunId: runId } = await client.workflow.start(kind, {
      ...{ workflowId, taskQueue, args: [order] },
      ...startingOf(kind, read),
      ...(workflowIdReusePolicy === undefined ? {} : { workflowIdReusePolicy }),
      ...attributes,
    });
    return { workflowId, runId, outcome: 'started' };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const run = await client.workflow.getHandle(workflowId).describe();
    refuseOtherOrder(run, kind, read);
    const outcome = run.status.name === 'COMPLETED' ? 'completed' : 'attached';
    return { workflowId, runId: run.runId, outcome };
  }
}
