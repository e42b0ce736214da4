import {
  type Client,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { isRecord } from '../../custody/isRecord';
import { type OrderKind, readOrderOf } from '../../orders/kinds';
import { type Begun, overrideKey, overrideType } from '../../orders/schedule/override';
import { startingOf } from '../../orders/starting';
import { inputOf } from './inputOf';
import { type StartedPeriod, startOnce } from './startOnce';

type Starting = {
  kind: OrderKind;
  workflowId: string;
  taskQueue: string;
  /** The first search attributes. */
  attributes: object;
};

/**
 * Starts the order that a person has given for a period instead of the usual one, or attaches to it.
 * One that has failed is started again. Undefined if the period has no override.
 */
export async function startOverride(
  client: Client,
  { kind, workflowId, taskQueue, attributes }: Starting,
): Promise<Omit<StartedPeriod, 'period' | 'nominal'> | undefined> {
  const run = await newestRun(client, workflowId);
  const note = run?.memo?.[overrideKey];
  if (run === undefined || note === undefined) return undefined;
  const { runId } = run;
  const isRunning = run.status.name === 'RUNNING';
  if (run.type === overrideType) {
    // Whoever takes an override back terminates it.
    if (!isRunning) return undefined;
    const begun = await client.workflow
      .getHandle(workflowId, runId)
      .executeUpdate<Begun, []>('begin');
    return { workflowId, runId, outcome: begun === 'order' ? 'started' : 'leftOut' };
  }
  if (isRunning) return { workflowId, runId, outcome: 'attached' };
  if (run.status.name === 'COMPLETED') return { workflowId, runId, outcome: 'completed' };
  const [order] = await inputOf(client, run);
  const read = readOrderOf(kind, order);
  const memo = { ...startingOf(kind, read).memo, [overrideKey]: note };
  const again = { kind, workflowId, taskQueue, order: isRecord(order) ? order : {}, read };
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
