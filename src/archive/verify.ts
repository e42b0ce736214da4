import { archivedReceipt, type ChainEnd, hashOfReceipt } from '../statement/receipt';
import type { Entry, Head } from './archive';
import { stampOf } from './sqlArchive';

export type Verified = {
  rows: number;
  head: Head | undefined;
  /** The first row at which the chain breaks, as a sentence. */
  fault?: string;
};

/**
 * Checks all entries of an archive: that no row is missing, and that none was changed or moved.
 * Rows that were cut off at the end show only against a head that was noted earlier.
 */
export async function verifyArchive(
  entries: AsyncIterable<Entry>,
  expected: readonly Head[] = [],
): Promise<Verified> {
  const ends = new Map<string, ChainEnd>();
  let head: Head | undefined;
  for await (const entry of entries) {
    const fault = faultOf(entry, head, ends) ?? faultOfHead(entry, expected);
    if (fault !== undefined) return { rows: head?.at ?? 0, head, fault };
    const { at, stamp, receipt } = entry;
    head = { at, stamp };
    ends.set(receipt.order.id, { place: receipt.place, hash: receipt.hash });
  }
  const rows = head?.at ?? 0;
  const missing = expected.find(({ at }) => at > rows);
  if (missing === undefined) return { rows, head };
  return { rows, head, fault: `It ends at row ${rows}, but row ${missing.at} was in it before.` };
}

function faultOf(
  { at, stamp, receipt }: Entry,
  before: Head | undefined,
  ends: ReadonlyMap<string, ChainEnd>,
): string | undefined {
  const next = (before?.at ?? 0) + 1;
  if (at !== next) return `Row ${next} is missing: after row ${next - 1} comes row ${at}.`;
  const read = archivedReceipt.safeParse(receipt);
  if (!read.success) return `Row ${at} is not a receipt: ${read.error.issues[0]?.message}.`;
  const { order, step, item, place, previous, hash } = receipt;
  const name = `Row ${at} (${order.id}, ${step}/${item})`;
  if (hash !== hashOfReceipt(receipt)) return `${name} was changed: its hash is another one.`;
  const last = ends.get(order.id);
  if (place !== (last?.place ?? 0) + 1 || previous !== (last?.hash ?? '')) {
    return `${name} does not follow the receipt before it in its order.`;
  }
  if (stamp !== stampOf(before?.stamp ?? '', receipt))
    return `${name} has the stamp of another row.`;
  return undefined;
}

function faultOfHead({ at, stamp }: Entry, expected: readonly Head[]): string | undefined {
  const noted = expected.find((head) => head.at === at);
  if (noted === undefined || noted.stamp === stamp) return undefined;
  return `Row ${at} has another stamp than was noted. The rows up to it were replaced.`;
}
