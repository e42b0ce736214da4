import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { WriteReceipt } from '../../books/receipt';
import { runsIn } from '../../client/temporal/ordersIn';
import { batchStep } from '../../custody/batch';
import type { Transaction } from '../../custody/objects/transaction';
import { batchesHash, readWrite, refHash } from '../../custody/reference';
import { kinds, orderKinds } from '../../orders/kinds';
import { memoryKey } from '../../orders/progress/status';

/** The order of a record, and its write there. */
export type NamedOrder = { order: WriteReceipt['order']; step: string; item: string };

/** The ids of all orders that Temporal remembers. Payouts also by the hash of their batches. */
type OrderIds = { ids: readonly string[]; byBatches: ReadonlyMap<string, string> };

/** Lists the orders that Temporal remembers. Parts of payouts are none. */
export async function orderIds(client: Client): Promise<OrderIds> {
  const ids = new Set<string>();
  for await (const { execution } of runsIn(client, '')) ids.add(execution?.workflowId ?? '');
  const all = [...ids].filter((id) => !/:shard:\d+$/.test(id));
  return { ids: all, byBatches: new Map(all.map((id) => [batchesHash(id), id])) };
}

/** Names the order of a record by its reference, which ends with the readable name of its write. */
export async function nameOrder(
  { refId }: Transaction,
  { ids, byBatches }: OrderIds,
  client: Client,
): Promise<NamedOrder | undefined> {
  const { workflowId = '', step = '', item = '', hash, batches } = readWrite(refId) ?? {};
  if (batches !== undefined) {
    const id = byBatches.get(batches);
    return id === undefined
      ? undefined
      : { order: await orderOf(id, client), step: batchStep, item };
  }
  const id = [workflowId, ...ids].find((one) => refHash({ workflowId: one, step, item }) === hash);
  return id === undefined ? undefined : { order: await orderOf(id, client), step, item };
}

const memorySchema = z.object({ fingerprint: z.string(), money: z.object({ kind: z.string() }) });

/** An order as Temporal remembers it. The id tells the kind of a forgotten order. */
async function orderOf(id: string, { workflow }: Client): Promise<WriteReceipt['order']> {
  const run = await workflow
    .getHandle(id)
    .describe()
    .catch(() => undefined);
  const memory = memorySchema.safeParse(run?.memo?.[memoryKey]);
  if (memory.success) return { id, kind: memory.data.money.kind, digest: memory.data.fingerprint };
  const kind = orderKinds.find((one) => id.split(':').includes(kinds[one].idWord));
  return { id, kind: kind ?? 'unknown' };
}
