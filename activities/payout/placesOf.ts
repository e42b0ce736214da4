import { Context } from '@temporalio/activity';
import { BadOrderError } from '../../src/orders/input/read';
import type { Signed } from '../../src/orders/input/signed';
import type { LineResult } from '../../src/orders/payout';
import { wayToSeal } from '../../src/orders/payout/tally';
import { type PlaceInTree, placeIn, treeOf } from '../../src/writer/signing/lineTree';
import { readRequest } from '../../src/writer/signing/statement';
import { refusing } from '../failure';
import { knownRun, linesNow } from './shardRuns';

/** The parts of a payout that goes on from its receipt, and its request. */
type Placing = { parts: { part: number; shardId: string }[]; signed: Signed };

/** Reads all lines of a payout from its parts, and finds out where each part stands. */
export async function placeParts({ parts, signed }: Placing): Promise<Record<string, PlaceInTree>> {
  return refusing(async () => {
    const lines: PlacedLine[] = [];
    for (const { part, shardId } of parts) {
      if ((await knownRun(shardId)) === undefined) {
        throw new BadOrderError(
          `parts: Temporal has forgotten ${shardId}, and each line is proven by all of them. ` +
            'Start the payout with the same id and the same file: it looks up every line.',
        );
      }
      const own = await linesNow(shardId);
      lines.push(...own.map((line) => ({ ...line, part })));
      Context.current().heartbeat();
    }
    return placesOf(lines, signed);
  });
}

/** A line, and the part that it was handed over in. Lines come part by part. */
export type PlacedLine = LineResult & { part: number };

/**
 * The place of each part among all lines of a signed payout, by its number. Throws a BadOrderError
 * where the lines are others than those that were signed. Nobody relies on that: the process that
 * signs checks each line again.
 */
export function placesOf(
  lines: readonly PlacedLine[],
  { statement }: Signed,
): Record<string, PlaceInTree> {
  const { lines: signed } = readRequest(statement);
  const tree = treeOf(lines);
  if (signed === undefined || signed.root !== tree.hash) {
    const given = `${lines.length} lines with the root ${tree.hash}`;
    const wanted = signed ? `${signed.count} with the root ${signed.root}` : 'none';
    throw new BadOrderError(
      `request: it was signed for ${wanted}, and these are ${given}. Hand over the lines that ` +
        `were signed, in their order. ${wayToSeal}`,
    );
  }
  const counts = new Map<number, number>();
  for (const { part } of lines) counts.set(part, (counts.get(part) ?? 0) + 1);
  const places: Record<string, PlaceInTree> = {};
  let first = 0;
  for (const [part, count] of counts) {
    places[part] = placeIn(tree, first, count);
    first += count;
  }
  return places;
}
