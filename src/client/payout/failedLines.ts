import { BadOrderError } from '../../orders/input/read';
import type { LineResult } from '../../orders/payout';
import type { LineTarget } from '../../orders/payout/lineTarget';

/** The failed attempts that are wanted: of all lines, or of the named ones. */
export async function failedLines(
  lines: AsyncIterable<LineResult>,
  lineIds: readonly string[] | undefined,
): Promise<LineTarget[]> {
  const wanted = lineIds === undefined ? undefined : new Set(lineIds);
  const targets: LineTarget[] = [];
  for await (const { lineId, outcome, generation } of lines) {
    if (wanted !== undefined && !wanted.delete(lineId)) continue;
    if (outcome === 'failed') targets.push({ lineId, generation });
    else if (wanted !== undefined) {
      throw new BadOrderError(`lineIds: ${lineId} is ${outcome}. Only a failed line is retried.`);
    }
  }
  const [missing] = wanted ?? [];
  if (missing !== undefined) {
    throw new BadOrderError(`lineIds: the payout has no line ${missing}. Check its id.`);
  }
  if (targets.length > 0) return targets;
  throw new BadOrderError('id: no line of this payout has failed, so none is retried.');
}

/** Attempts that one order has room for, however long the ids of their lines are. */
const turnMax = 2_000;

/** Cuts the attempts of many lines, so that each start or update has room for its own. */
export function inTurns(targets: readonly LineTarget[]): LineTarget[][] {
  const count = Math.ceil(targets.length / turnMax);
  return Array.from({ length: count }, (_, at) => targets.slice(at * turnMax, (at + 1) * turnMax));
}
