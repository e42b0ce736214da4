import { archivedReceipt, type ChainEnd, hashOfReceipt } from '../receipt';
import type { Archive, ArchiveEntry, Head } from './archive';
import { stampOf } from './sqlArchive';

export type Verified = {
  rows: number;
  head: Head | undefined;
  /** The writes whose receipts contradict each other. Undefined if there are none. */
  contradicting?: string[];
  /** The first row at which the chain breaks, as a sentence. */
  fault?: string;
};

/**
 * Checks all entries of an archive: that no row is missing, and that none was changed or moved.
 * Rows that were cut off at the end show only against a head that was noted earlier.
 */
export async function verifyArchive(
  entries: AsyncIterable<ArchiveEntry>,
  expected: readonly Head[] = [],
): Promise<Verified> {
  return verifyRows(entries, { first: 1, expected });
}

/**
 * Checks the rows that hold the receipts of a time on, and all rows after them. It rests on the row
 * before them, so it costs no more for all that is older.
 */
export async function verifySince(
  archive: Pick<Archive, 'rowBefore' | 'rowsFrom'>,
  timeMs: number,
): Promise<Verified> {
  const first = Math.max(1, await archive.rowBefore(timeMs));
  return verifyRows(archive.rowsFrom(first), { first, expected: [] });
}

/** The first row that is read, what the rows before the next one have ended with, and their heads. */
type Before = { first: number; head: Head | undefined; ends: Map<string, ChainEnd> };

async function verifyRows(
  entries: AsyncIterable<ArchiveEntry>,
  { first, expected }: { first: number; expected: readonly Head[] },
): Promise<Verified> {
  const ends = new Map<string, ChainEnd>();
  const contradicting: string[] = [];
  let head: Head | undefined;
  for await (const entry of entries) {
    const fault = faultOf(entry, { first, head, ends }) ?? faultOfHead(entry, expected);
    if (fault !== undefined) return { rows: head?.at ?? 0, head, fault };
    const { at, stamp, receipt } = entry;
    head = { at, stamp };
    const { order, step, item } = receipt;
    if (receipt.contradicts !== undefined) contradicting.push(`${order.id} ${step}/${item}`);
    ends.set(receipt.order.id, { place: receipt.place, hash: receipt.hash });
  }
  const told = contradicting.length === 0 ? {} : { contradicting };
  const rows = head?.at ?? 0;
  const missing = expected.find(({ at }) => at > rows);
  if (missing === undefined) return { ...told, rows, head };
  return {
    rows,
    head,
    contradicting,
    fault: `It ends at row ${rows}, but row ${missing.at} was in it before.`,
  };
}

function faultOf(
  { at, stamp, receipt }: ArchiveEntry,
  { first, head, ends }: Before,
): string | undefined {
  const next = head === undefined ? first : head.at + 1;
  if (at !== next) return `Row ${next} is missing: row ${at} is in its place.`;
  const read = archivedReceipt.safeParse(receipt);
  if (!read.success) return `Row ${at} is not a receipt: ${read.error.issues[0]?.message}.`;
  const { order, step, item, place, previous, hash } = receipt;
  const name = `Row ${at} (${order.id}, ${step}/${item})`;
  if (hash !== hashOfReceipt(receipt)) return `${name} was changed: its hash is another one.`;
  // The rows before the first one are not read, and the order may have receipts there.
  const isPart = first > 1;
  const last = ends.get(order.id) ?? (isPart ? undefined : { place: 0, hash: '' });
  if (last !== undefined && (place !== last.place + 1 || previous !== last.hash)) {
    return `${name} does not follow the receipt before it in its order.`;
  }
  if (isPart && head === undefined) return undefined;
  if (stamp !== stampOf(head?.stamp ?? '', receipt)) return `${name} has the stamp of another row.`;
  return undefined;
}

function faultOfHead({ at, stamp }: ArchiveEntry, expected: readonly Head[]): string | undefined {
  const noted = expected.find((head) => head.at === at);
  if (noted === undefined || noted.stamp === stamp) return undefined;
  return `Row ${at} has another stamp than was noted. The rows up to it were replaced.`;
}
