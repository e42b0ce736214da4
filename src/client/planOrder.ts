import type { Client } from '@temporalio/client';
import { describeOrder } from '../orders/describe';
import { type Order, type OrderKind, readOrderOf } from '../orders/kinds';
import type { Plan } from '../orders/progress/plan';
import { resultOf } from './started';
import { awaited } from './waiting/waiting';

type Dry<Kind extends OrderKind> = {
  kind: Kind;
  /** The id of the dry run. The id of the order stays free. */
  dryId: string;
  order: Order<Kind>;
  taskQueue: string;
  /** The search attributes of the workflow. */
  attributes: object;
};

/** Has the guard of an order tell what it would do. Nothing is sent, and its own id stays free. */
export async function planOrder<Kind extends OrderKind>(
  client: Client,
  dry: Dry<Kind>,
): Promise<Plan> {
  const { kind, dryId, taskQueue, attributes } = dry;
  const order = { ...dry.order, dryRun: true };
  const { summary, details } = describeOrder(kind, readOrderOf(kind, order));
  const handle = await client.workflow.start(kind, {
    workflowId: dryId,
    taskQueue,
    args: [order],
    // Nothing moves, and what an order would do may be another thing a minute later.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    staticSummary: summary,
    staticDetails: details,
    ...attributes,
  });
  return awaited(handle, () => resultOf(handle));
}
