import type { Client } from '@temporalio/client';
import { orderError } from './orderError';
import type { Progress } from './orders/status';

/** Where an order stands, put together from Temporal's description and the order's own progress. */
export type OrderStatus = {
  workflowId: string;
  runId: string;
  kind: string;
  /** Temporal's word: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT. */
  execution: string;
  startedAt: string;
  closedAt: string | undefined;
  historyEvents: number;
  /** What the order says of itself; absent while no worker answers. */
  progress: Progress | undefined;
  receipt: unknown;
  /** Why it ended without a receipt. */
  error: string | undefined;
};

/** A worker that is away must not make a status hang. */
const queryTimeoutMs = 3_000;

/** Reads where an order stands; only an order that runs, or ran lately, can tell its progress. */
export async function readStatus(client: Client, workflowId: string): Promise<OrderStatus> {
  const handle = client.workflow.getHandle(workflowId);
  const run = await handle.describe();
  const status = {
    workflowId,
    runId: run.runId,
    kind: run.type,
    execution: run.status.name,
    startedAt: run.startTime.toISOString(),
    closedAt: run.closeTime?.toISOString(),
    historyEvents: run.historyLength,
    progress: await progressOf(client, workflowId),
    receipt: undefined,
    error: undefined,
  };
  if (run.status.name === 'RUNNING') return status;
  try {
    return { ...status, receipt: await handle.result() };
  } catch (error) {
    const told = orderError(workflowId, error);
    return { ...status, error: told instanceof Error ? told.message : String(told) };
  }
}

async function progressOf(client: Client, workflowId: string): Promise<Progress | undefined> {
  try {
    return await client.connection.withDeadline(Date.now() + queryTimeoutMs, () =>
      client.workflow.getHandle(workflowId).query<Progress>('progress'),
    );
  } catch {
    return undefined;
  }
}
