import { Context } from '@temporalio/activity';
import { type ComparedLine, differencesOf, wayOn } from '../../src/orders/payout/otherLines';
import { stop } from '../failure';
import { inSlices } from '../reading';
import { knownRun, linesNow, resultIn } from './shardRuns';

/** Number of parts that are read at a time. */
const readAtOnceMax = 5;

type Refused = {
  part: number;
  lines: readonly ComparedLine[];
  /** The shard that has the part. Undefined if the payout was sealed without it. */
  shardId: string | undefined;
  /** The shards of all parts. */
  shardIds: readonly string[];
};

/**
 * Names what differs in a part that comes too late to replace another one. A line that another part
 * has is not called new, since nobody may pay it a second time.
 */
export async function otherLines({ part, lines, shardId, shardIds }: Refused): Promise<Error> {
  const before = shardId === undefined ? [] : await shardLines(shardId);
  const others = shardIds.filter((one) => one !== shardId);
  const elsewhere = await inSlices(others, readAtOnceMax, shardLines);
  const lead = `part: ${part} was handed over before, with other lines`;
  if (before === undefined || elsewhere.includes(undefined)) {
    const why = 'Temporal has forgotten the earlier ones, so that only their hash was compared.';
    return stop('Refused', `${lead}. ${why} ${wayOn({ hasNew: false })}`);
  }
  const own = new Set(before.map(({ lineId }) => lineId));
  const moved = new Set(elsewhere.flatMap((all) => all?.map(({ lineId }) => lineId) ?? []));
  const placed = lines.filter(({ lineId }) => own.has(lineId) || !moved.has(lineId));
  const { faults, hasNew } = differencesOf(before, placed, `is missing in part ${part}`);
  const named = faults.length > 0 ? faults : ['another part has some of them'];
  return stop('Refused', `${lead}: ${named.join('; ')}. ${wayOn({ hasNew })}`);
}

/** The lines of a shard, as far as Temporal still knows them. */
export async function shardLines(shardId: string): Promise<readonly ComparedLine[] | undefined> {
  const run = await knownRun(shardId);
  Context.current().heartbeat();
  if (run === undefined) return undefined;
  return (await resultIn(run)) ?? linesNow(shardId).catch(() => undefined);
}
