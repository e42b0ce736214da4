import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { OrderKind, ReadOrder } from '../../orders/kinds';
import { refuseOtherOrder, startingOf } from '../../orders/starting';
import { inputOf } from './inputOf';

/** The start of an order: a new run, a run that was under way, or one that had completed. */
export type StartedOrder = {
  workflowId: string;
  runId: string;
  outcome: 'started' | 'attached' | 'completed';
};

/** The result of starting a period. The order itself goes on alone. */
export type StartedPeriod = StartedOrder & { period: string; nominal: string };

type Starting = {
  kind: OrderKind;
  workflowId: string;
  taskQueue: string;
  /** The order as the caller gave it, for the guard. `read` is the same, parsed. */
  order: object;
  read: ReadOrder<OrderKind>;
  /** The first search attributes. The guard sets more. */
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
      workflowId,
      taskQueue,
      args: [order],
      ...startingOf(kind, read),
      ...(workflowIdReusePolicy === undefined ? {} : { workflowIdReusePolicy }),
      ...attributes,
    });
    return { workflowId, runId, outcome: 'started' };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const run = await client.workflow.getHandle(workflowId).describe();
    const before = async () => (await inputOf(client, run))[0];
    await refuseOtherOrder(run, { kind, read, before });
    const outcome = run.status.name === 'COMPLETED' ? 'completed' : 'attached';
    return { workflowId, runId: run.runId, outcome };
  }
}
