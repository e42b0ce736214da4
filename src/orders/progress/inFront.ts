import type { CallOptions, CustodyApi } from '../../custody/endpoints';
import type { Transaction } from '../../custody/objects/transaction';
import { isOfBatch, readWrite } from '../../custody/reference';

/**
 * The transaction that a wallet's later ones wait for, and the command that frees them, as a
 * sentence. Undefined if nothing is in front of the wallet's transactions with these ids. Throws
 * where the service does not answer.
 */
export async function readInFront(
  api: Pick<CustodyApi, 'getLowestNonceTransaction'>,
  { walletId, ids }: { walletId: string; ids: readonly string[] },
  options: CallOptions = {},
): Promise<string | undefined> {
  const lowest = (await api.getLowestNonceTransaction({ walletId }, options))?.transaction;
  return lowest === undefined || ids.includes(lowest.id) ? undefined : inFront(lowest);
}

/** Names a transaction that others wait for, its order, and what frees it. */
export function inFront({ id, state, refId }: Pick<Transaction, 'id' | 'state' | 'refId'>): string {
  const written = readWrite(refId);
  const which = `transaction ${id} (${state})`;
  if (written === undefined) {
    return `${which} of no order of ours. Accelerate or cancel it in the service's console`;
  }
  const { workflowId, isWhole } = written;
  if (!isWhole) {
    const order = workflowId === '' ? 'an order' : `the order that ends in "${workflowId}"`;
    const find = '"steadfast list --status Settling"';
    return `${which} of ${order}. Accelerate or cancel that order: ${find}`;
  }
  const isLine = isOfBatch(refId) || /(^|:)payout:/.test(workflowId);
  return isLine
    ? `${which} of ${workflowId}. Accelerate or cancel it in the service's console`
    : `${which} of ${workflowId}. Free it: "steadfast accelerate ${workflowId}" ` +
        `or "steadfast cancel ${workflowId}"`;
}
