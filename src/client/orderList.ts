import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { BadOrderError } from '../orders/input/read';
import { type OrderKind, orderKinds } from '../orders/kinds';
import { type AttributeName, type Status, statuses } from '../orders/progress/status';
import { withoutMemos } from './temporal/withoutMemos';

/** The filter of a list of orders. */
export type Wanted = {
  status?: Status;
  kind?: OrderKind;
  /** The most orders to list, newest first. The default is 50. */
  limit?: number;
};

/** An order in a list. */
export type ListedOrder = {
  workflowId: string;
  kind: string;
  /** The order's own last word. Undefined on a namespace without our search attributes. */
  status: string | undefined;
  /** Temporal's word. */
  execution: string;
  reference: string | undefined;
  startedAt: string;
  closedAt: string | undefined;
};

const limitUsual = 50;
export const limitMax = 1_000;

/** Orders, newest first, as Temporal's visibility shows them: a second or so behind. */
export async function listOrders(client: Client, wanted: Wanted = {}): Promise<ListedOrder[]> {
  const { limit = limitUsual } = wanted;
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw new BadOrderError(`limit: ${limit} must be a whole number from 1 to ${limitMax}.`);
  }
  const orders: ListedOrder[] = [];
  const { workflow } = withoutMemos(client);
  for await (const run of workflow.list({ query: queryOf(wanted), pageSize: limit })) {
    if (run.status.name === 'CONTINUED_AS_NEW') continue;
    orders.push(listed(run));
    if (orders.length === limit) break;
  }
  return orders;
}

function queryOf({ status, kind }: Wanted): string {
  if (status !== undefined && !statuses.includes(status)) {
    throw new BadOrderError(`status: "${status}" must be one of ${statuses.join(', ')}.`);
  }
  if (kind !== undefined && !orderKinds.includes(kind)) {
    throw new BadOrderError(`kind: "${kind}" must be one of ${orderKinds.join(', ')}.`);
  }
  const types = (kind === undefined ? orderKinds : [kind]).map((name) => `'${name}'`).join(', ');
  return [
    `WorkflowType IN (${types})`,
    ...(status === undefined ? [] : [`SteadfastStatus = '${status}'`]),
  ].join(' AND ');
}

function listed(run: WorkflowExecutionInfo): ListedOrder {
  const attribute = (name: AttributeName): string | undefined => {
    const [value] = run.searchAttributes[name] ?? [];
    return value === undefined ? undefined : String(value);
  };
  return {
    workflowId: run.workflowId,
    kind: run.type,
    status: attribute('SteadfastStatus'),
    execution: run.status.name,
    reference: attribute('SteadfastRef'),
    startedAt: run.startTime.toISOString(),
    closedAt: run.closeTime?.toISOString(),
  };
}
