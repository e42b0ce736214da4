import type { FoundBatch, FoundLines, FoundPayment } from '../../../../activities/payout/findLines';
import { batchStep } from '../../../../src/custody/batch';
import { keepBatch, type Line, type Payment } from '../payments';
import type { Shard } from '../shard';

/**
 * Takes up a batch for some lines. All of them are of its wallet and its token. If this
 * batch did not pay a line, the line goes on under its later key.
 */
export function keepFound(
  shard: Shard,
  { payments, item }: FoundBatch,
  { lines, found }: { lines: readonly Line[]; found: FoundLines },
): Payment[] {
  const [first] = lines;
  if (first === undefined) return [];
  // A look-up names only the lines that it was for. Earlier ones have named others.
  const before = shard.carried.batches?.[item]?.payments ?? [];
  const own = new Set(lines.map((line) => line.item));
  const kept: FoundPayment[] = payments.map(({ line: paid, ...payment }, at) => {
    const line = paid !== undefined && own.has(paid.lineId) ? paid : before[at]?.line;
    return line === undefined ? payment : { ...payment, line };
  });
  keepBatch(shard, first, kept);
  const words = lines.map((line) => shard.writes.stateOf(line).givenUp);
  if (words.every((one) => one !== undefined)) {
    shard.writes.apply({ step: batchStep, item }, { kind: 'adopted', givenUp: words[0] });
  }
  for (const { line } of kept) {
    const known = line && shard.payments.line(line.lineId);
    if (known === undefined) continue;
    const generation = Math.max(line?.generation ?? 0, latestOf(known, found));
    shard.writes.apply(known, { kind: 'adopted', generation });
  }
  return shard.payments.batches().filter((batch) => batch.item === item);
}

/** The latest attempt at a line that a look-up shows, alone or in a batch. */
function latestOf({ item }: Line, { traces, batches = [] }: FoundLines): number {
  const batched = batches.flatMap(({ payments }) => payments.flatMap(({ line }) => line ?? []));
  const own = [...traces, ...batched].filter(({ lineId }) => lineId === item);
  return Math.max(0, ...own.map(({ generation }) => generation));
}
