import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowIdReusePolicy,
} from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';
import type { OrderKind, ReadOrder } from '../../orders/kinds';
import { overrideType } from '../../orders/schedule/override';
import { refuseOtherOrder, startingOf } from '../../orders/starting';
import { inputOf } from './inputOf';

/** The start of an order: a new run, a run that was under way, or one that had completed. */
export type StartedOrder = {
  workflowId: string;
  runId: string;
  outcome: 'started' | 'attached' | 'completed';
};

/** The result of starting a period. The order itself goes on alone. An override may leave it out. */
export type StartedPeriod = Omit<StartedOrder, 'outcome'> & {
  period: string;
  nominal: string;
  outcome: StartedOrder['outcome'] | 'leftOut';
};

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
    if (run.type === overrideType) throw new BadOrderError(keptFor(workflowId));
    const before = async () => (await inputOf(client, run))[0];
    await refuseOtherOrder(run, { kind, read, before });
    const outcome = run.status.name === 'COMPLETED' ? 'completed' : 'attached';
    return { workflowId, runId: run.runId, outcome };
  }
}

function keptFor(workflowId: string): string {
  return (
    `id: "${workflowId}" is the order of a period, and somebody has overridden it. It starts with ` +
    'its period. To take that back: npx --no-install steadfast schedule override <id> --period ' +
    '<period> --remove'
  );
}
