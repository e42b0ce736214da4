import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import type { LineResult } from '../../orders/payout';
import type { PartTold } from '../../orders/payout/partTold';
import { payoutLinesMax } from '../../orders/payout/readLines';
import { readAhead } from './readAhead';

/**
 * Reads the lines of a payout part by part. Anybody in Temporal can start a payout that answers
 * without end, so a part that comes twice and a line too many throw a BadOrderError.
 */
export async function* toldLines(
  id: string,
  parts: readonly PartTold[],
  read: (shardId: string) => Promise<LineResult[]>,
): AsyncGenerator<LineResult> {
  const seen = new Set<string>();
  for (const { shardId } of parts) {
    if (seen.has(shardId)) {
      throw new BadOrderError(`id: ${id} tells its part ${shown(shardId)} twice.`);
    }
    seen.add(shardId);
  }
  let count = 0;
  for await (const lines of readAhead(parts, ({ shardId }) => read(shardId))) {
    count += lines.length;
    if (count > payoutLinesMax) {
      const most = `${payoutLinesMax} lines, which no payout has.`;
      throw new BadOrderError(`id: ${id} tells more than ${most}`);
    }
    yield* lines;
  }
}
