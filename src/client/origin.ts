import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { readOrder } from '../orders/input/read';
import type { ReadOrder } from '../orders/kinds';
import { memoryKey } from '../orders/progress/status';
import { transferStablecoin } from '../orders/transfer';
import { orderOfRun } from './closedRun';
import { runsBeside } from './temporal/runsOf';

/** The beginning of an order, and the payment of a transfer that has ended unpaid. */
export type Origin = {
  /** The start of the first run of its id that Temporal knows. */
  beganAt: string;
  pays?: Pick<ReadOrder<'transferStablecoin'>, 'to' | 'amount' | 'token' | 'exchange'>;
};

/** Reads the beginning of an order from all runs of its id. */
export async function readOrigin(client: Client, workflowId: string): Promise<Origin> {
  const newest = await client.workflow.getHandle(workflowId).describe();
  const runs = [newest, ...(await runsBeside(client, workflowId, { ownRunId: newest.runId }))];
  const firstMs = Math.min(...runs.map(({ startTime }) => startTime.getTime()));
  const beganAt = new Date(firstMs).toISOString();
  const isPaid = runs.some(({ status }) => status.name === 'COMPLETED');
  // A run that was ended from outside may have paid.
  const isUnpaid = ['FAILED', 'CANCELLED'].includes(newest.status.name) && !isPaid;
  if (newest.type !== 'transferStablecoin' || !isUnpaid) {
    return { beganAt };
  }
  // A later start that was refused may have had another order.
  const order = await orderOfRun(client, runs.find(isAccepted) ?? newest);
  return { beganAt, pays: readOrder(transferStablecoin.order, order) };
}

const memo = z.object({ money: z.looseObject({}) });

/** True for a run whose order the guard has accepted. */
function isAccepted(run: WorkflowExecutionDescription): boolean {
  return memo.safeParse(run.memo?.[memoryKey]).success;
}
