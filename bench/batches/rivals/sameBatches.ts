import { randomUUID } from 'node:crypto';
import type { PayoutLine } from '../../../src/orders/payout';
import { partLinesMax } from '../../../src/orders/payout/tally';
import { walletOfLine } from '../../../src/orders/payout/walletOfLine';
import type { Payer } from '../../payouts/startService';
import type { BatchRace } from '../contender';

/** Lines that one write of a rival pays. All of its attempts have the same key. */
export type Batch = { key: string; payer: Payer; lines: PayoutLine[] };

/** The batches that a payout makes of the same lines. Each batch is of one part and one wallet. */
export function sameBatches(
  lines: readonly PayoutLine[],
  { payers, linesMax = 1 }: Pick<BatchRace, 'payers' | 'linesMax'>,
): Batch[] {
  const parts = cut(lines, partLinesMax);
  return parts.flatMap((part) =>
    payers.flatMap((payer, wallet) => {
      const own = part.filter(({ lineId }) => walletOfLine(lineId, payers.length) === wallet);
      return cut(own, linesMax).map((some) => ({ key: randomUUID(), payer, lines: some }));
    }),
  );
}

function cut<Item>(items: readonly Item[], size: number): Item[][] {
  const pieces = Math.ceil(items.length / size);
  return Array.from({ length: pieces }, (_, at) => items.slice(at * size, (at + 1) * size));
}
