import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';
import { type OrderKind, type ReadOrder, readOrderOf } from '../../orders/kinds';
import { type Begun, overrideKey, overrideType } from '../../orders/schedule/override';
import { refuseOtherOrder, startingOf } from '../../orders/starting';
import { inputOf } from './inputOf';

/** The start of an order: a new run, a run that was under way, or one that had completed. */
export type StartedOrder = {
  workflowId: string;
  runId: string;
  outcome: 'started' | 'attached' | 'completed';
};

/** The result of starting a period. The order goes on alone. An override may leave it out. */
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
    refuseOtherType(run, kind);
    const before = async () => (await inputOf(client, run))[0];
    await refuseOtherOrder(run, { kind, read, before });
    const outcome = run.status.name === 'COMPLETED' ? 'completed' : 'attached';
    return { workflowId, runId: run.runId, outcome };
  }
}

/**
 * Throws a BadOrderError for a run of another type: its end is none of the order. Anybody who may
 * start workflows can start one under any id.
 */
export function refuseOtherType(
  { workflowId, type }: Pick<WorkflowExecutionDescription, 'workflowId' | 'type'>,
  kind: string,
): void {
  if (type === kind) return;
  throw new BadOrderError(
    `id: "${workflowId}" was used for a ${type}, which is no ${kind}. Find out in Temporal who has ` +
      'started it, and what earlier runs of this id have paid.',
  );
}

function keptFor(workflowId: string): string {
  return (
    `id: "${workflowId}" is the order of a period, and somebody has overridden it. It starts with ` +
    'its period. To take that back: npx --no-install steadfast schedule override <id> --period ' +
    '<period> --remove'
  );
}

type Overridden = {
  kind: OrderKind;
  workflowId: string;
  taskQueue: string;
  /** The first search attributes. */
  attributes: object;
};

/**
 * Starts the order that a person has given for a period instead of the usual one, or attaches to
 * it. An order that has failed is started again. Undefined if the period has no override.
 */
export async function startOverride(
  client: Client,
  { kind, workflowId, taskQueue, attributes }: Overridden,
): Promise<Omit<StartedPeriod, 'period' | 'nominal'> | undefined> {
  const run = await newestRun(client, workflowId);
  const note = run?.memo?.[overrideKey];
  if (run === undefined || note === undefined) return undefined;
  const { runId } = run;
  const isRunning = run.status.name === 'RUNNING';
  if (run.type === overrideType) {
    // To restore the usual order is to terminate its override.
    if (!isRunning) return undefined;
    const begun = await client.workflow
      .getHandle(workflowId, runId)
      .executeUpdate<Begun, []>('begin');
    return { workflowId, runId, outcome: begun === 'order' ? 'started' : 'leftOut' };
  }
  refuseOtherType(run, kind);
  if (isRunning) return { workflowId, runId, outcome: 'attached' };
  if (run.status.name === 'COMPLETED') return { workflowId, runId, outcome: 'completed' };
  const [order] = await inputOf(client, run);
  const read = readOrderOf(kind, order);
  const memo = { ...startingOf(kind, read).memo, [overrideKey]: note };
  const again = { kind, workflowId, taskQueue, order: Object(order), read };
  return startOnce(client, { ...again, attributes: { ...attributes, memo } });
}

/** The newest run of an id. Undefined if Temporal knows none. */
export async function newestRun(
  client: Client,
  workflowId: string,
): Promise<WorkflowExecutionDescription | undefined> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
