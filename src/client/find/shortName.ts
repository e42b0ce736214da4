import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';
import { idsOf } from '../../orders/kinds';

/**
 * The workflow id of the one order that a short name means: "payout:january" of "january". If the
 * name is the whole id of an order, that order counts. Throws a BadOrderError for a name of several
 * orders. Returns the name itself if Temporal knows no such order.
 */
export function resolveShortName(
  client: Client,
  workflowId: string,
  scope: string,
): Promise<string> {
  return meantBy(workflowId, scope, (id) => isThere(client, id));
}

/** The same as `resolveShortName`, among the orders that somebody else knows. */
export async function meantBy(
  workflowId: string,
  scope: string,
  isKnown: (workflowId: string) => Promise<boolean>,
): Promise<string> {
  const prefix = scope === '' ? '' : `${scope}:`;
  const candidates = idsOf(workflowId.slice(prefix.length)).map((id) => `${prefix}${id}`);
  if (candidates.length === 0 || (await isKnown(workflowId))) return workflowId;
  const known = await Promise.all(candidates.map(isKnown));
  const found = candidates.filter((_, at) => known[at]);
  const [only = workflowId] = found;
  if (found.length <= 1) return only;
  throw new BadOrderError(
    `id: "${workflowId}" may be ${found.join(' or ')}. Give one of these ids in full.`,
  );
}

/** True if Temporal knows a workflow of this id. */
export async function isThere(client: Client, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
