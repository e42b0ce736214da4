import type { FoundBatch, FoundLines, LineSearch } from '../../../activities/payout/findLines';
import { counted } from '../../../src/orders/progress/doing';
import { longReads } from '../../order/activities';

/**
 * The traces of some lines in the service's list. An answer has room for some lines, so it may take
 * several. They are heard together, since a trace of one line tells something about all.
 */
export async function findLines(search: LineSearch): Promise<FoundLines> {
  const { lineIds } = search;
  const reads = longReads(`look up ${counted(lineIds.length, 'line')}`);
  const { lines = lineIds.length, ...found } = await reads.findLines(search);
  const rest = lineIds.slice(lines);
  if (rest.length === 0) return found;
  const others = await findLines({ ...search, lineIds: rest });
  return {
    seen: others.seen,
    traces: [...found.traces, ...others.traces],
    batches: together([...(found.batches ?? []), ...(others.batches ?? [])]),
    unread: [
      ...new Map(
        [...(found.unread ?? []), ...(others.unread ?? [])].map((one) => [one.id, one]),
      ).values(),
    ],
  };
}

/** Each batch once. An answer names the lines of a batch that it is about. */
function together(found: readonly FoundBatch[]): FoundBatch[] {
  const batches = new Map<string, FoundBatch>();
  for (const batch of found) {
    const before = batches.get(batch.record.id)?.payments;
    const payments = batch.payments.map((payment, at) => ({ ...before?.[at], ...payment }));
    batches.set(batch.record.id, { ...batch, payments });
  }
  return [...batches.values()];
}
