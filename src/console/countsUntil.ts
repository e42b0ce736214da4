import type { Client } from '@temporalio/client';
import { orderOfRun } from '../client/closedRun';
import { unexpiredRequest } from '../client/signing/stillCounting';
import { namedIdOf } from '../orders/input/orderId';

/**
 * The moment up to which the request of an order counts, as Temporal shows it. Undefined for an
 * order without one, and where it cannot be read: a page goes without it.
 */
export async function countsUntil(
  client: Client,
  { id, keyScope }: { id: string; keyScope: string },
): Promise<string | undefined> {
  try {
    const workflowId = namedIdOf(id, keyScope);
    const { runId } = await client.workflow.getHandle(workflowId).describe();
    const { request } = await orderOfRun(client, { workflowId, runId });
    return unexpiredRequest(request)?.statement.expires;
  } catch {
    return undefined;
  }
}
