import type { Archive } from '../../src/books/archive/archive';
import type { ArchivedReceipt } from '../../src/books/receipt';
import type { CustodyApi } from '../../src/custody/endpoints';
import { BadOrderError } from '../../src/orders/input/read';
import { tryFind } from '../attempt';
import type { Memory } from './memory';

/**
 * Refuses an order whose id belongs to another one that Temporal has forgotten. The archive alone
 * proves nothing: its receipt counts if the service's record has the same reference.
 */
export async function refuseArchived(
  custody: CustodyApi,
  { archive }: { archive?: Archive | undefined },
  { workflowId, memory }: { workflowId: string; memory: Memory },
): Promise<void> {
  const receipt = archive && (await firstOf(archive, workflowId));
  const { digest } = receipt?.order ?? {};
  if (receipt === undefined || digest === undefined || digest === memory.fingerprint) return;
  const { transactionId: id, refId, money, time } = receipt;
  const found = await tryFind(404, (signal) => custody.getTransaction({ id }, { signal }));
  if (found?.transaction.refId !== refId) return;
  const paid =
    money === undefined ? '' : ` It paid ${money.amount} ${money.token.name} to ${money.to}.`;
  throw new BadOrderError(
    `The id ${workflowId} belongs to another order, of ${time} (transaction ${id}).${paid} ` +
      'Give this order an id of its own.',
  );
}

/** The first receipt of an order. An archive that cannot be read holds up no order. */
async function firstOf(archive: Archive, orderId: string): Promise<ArchivedReceipt | undefined> {
  try {
    for await (const receipt of archive.receipts({ orderId })) return receipt;
  } catch {
    // The look-up of each write in the service's list does not rest on it.
  }
  return undefined;
}
