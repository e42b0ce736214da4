import type { Client } from '@temporalio/client';
import { getAddress, isAddress } from 'viem';
import { inQuery } from '../client/temporal/runsOf';
import { withoutMemos } from '../client/temporal/withoutMemos';
import { shardIdOf, shardType } from '../orders/payout/shardId';

/** Workflows that one notice wakes at most. */
const foundMax = 50;
const invalidArgumentCode = 3;

/** Lists the running parts of a payout. */
export function runningParts(client: Client, payoutWorkflowId: string): Promise<string[]> {
  const id = inQuery(shardIdOf(payoutWorkflowId, ''));
  return running(client, `WorkflowType = '${shardType}' AND WorkflowId STARTS_WITH ${id}`);
}

/** Lists the orders that wait for money at an address. They show it with its checksum. */
export async function waitingAt(client: Client, address: string): Promise<string[]> {
  if (!isAddress(address, { strict: false })) return [];
  const wallet = `SteadfastWallet = '${getAddress(address)}'`;
  return running(client, `${wallet} AND SteadfastStatus = 'Waiting'`).catch((error) => {
    // The namespace lacks our search attributes, so nobody can be found. Orders poll.
    if (isInvalid(error) || isInvalid(error.cause)) return [];
    throw error;
  });
}

function isInvalid(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === invalidArgumentCode;
}

async function running(client: Client, query: string): Promise<string[]> {
  const ids: string[] = [];
  const { workflow } = withoutMemos(client);
  const filter = `${query} AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of workflow.list({ query: filter, pageSize: foundMax })) {
    ids.push(workflowId);
    if (ids.length >= foundMax) break;
  }
  return ids;
}
