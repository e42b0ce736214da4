import type { Client } from '@temporalio/client';
import { orderError } from './orderError';
import { describeOrder } from './orders/describe';
import { type Order, type OrderKind, type orderSchemas, schemaOf } from './orders/kinds';
import { dryPrefix, type Plan } from './orders/plan';
import { readOrder } from './orders/read';

type Dry<Kind extends OrderKind> = {
  kind: Kind;
  /** The id that the order itself would have. */
  workflowId: string;
  order: Order<Kind>;
  taskQueue: string;
  /** What the workflow is started with besides. */
  attributes: object;
};

/** Has the guard of an order tell what it would do. Nothing is sent, and its own id stays free. */
export async function planOrder<Kind extends OrderKind>(
  client: Client,
  dry: Dry<Kind>,
): Promise<Plan> {
  const { kind, workflowId, taskQueue, attributes } = dry;
  const order = { ...dry.order, dryRun: true };
  const schema: (typeof orderSchemas)[OrderKind] = schemaOf(kind);
  const { summary, details } = describeOrder(kind, readOrder(schema, order));
  const handle = await client.workflow.start(kind, {
    workflowId: `${dryPrefix}${workflowId}`,
    taskQueue,
    args: [order],
    // Nothing moves, and what an order would do may be another thing a minute later.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    staticSummary: summary,
    staticDetails: details,
    ...attributes,
  });
  try {
    return await handle.result();
  } catch (error) {
    throw orderError(handle.workflowId, error);
  }
}
