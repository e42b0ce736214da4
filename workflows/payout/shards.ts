import type { SeenShard } from '../../activities/payout/shards';
import { counted } from '../../src/orders/progress/doing';
import { longReads, stopOf } from '../order/activities';
import { noteFault } from '../order/show';
import { isPartOver, type LivePayout, partsOf, tallyOfPart } from './book';
import type { Part } from './records';
import { takeOwnPart } from './takeParts';

/**
 * Reads the state of each shard that reports its end or does not answer. The end of a part is the
 * result of its shard, and it is kept here, since Temporal forgets it after a while.
 */
export async function seeToShards(live: LivePayout): Promise<void> {
  const due = partsOf(live).filter(({ mustSee }) => mustSee === true);
  if (due.length === 0) return;
  const shardIds = due.map(({ shardId }) => shardId);
  try {
    const what = `how ${counted(due.length, 'part')} stand`;
    const seen = await longReads(what).seeToShards(shardIds);
    for (const part of due) {
      const own = seen[part.shardId];
      if (own !== undefined) takeOver(live, part, own);
    }
    for (const part of due) {
      if (seen[part.shardId]?.state === 'forgotten' && part.result === undefined)
        await handOver(live, part);
    }
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    noteFault(live, stop.message);
  }
}

function takeOver(live: LivePayout, part: Part, seen: SeenShard): void {
  const { result, report } = part;
  if (seen.state === 'over' && seen.result.tally.lines === part.lines) {
    part.result = seen.result;
    for (const done of ['steer', 'report', 'mustSee'] as const) delete part[done];
    return;
  }
  const saidOver = report?.isOver === true && seen.state === 'running';
  // The run that said so has closed, and another one waits to be told.
  const isOther = saidOver && seen.runId !== report.runId;
  if (isOther) delete part.report;
  // A shard that says that it is over is about to close, unless a retry came.
  part.mustSee = saidOver && !isOther;
  // A result that was read before stays when only the shard is forgotten.
  if (seen.state === 'forgotten' && result !== undefined) return;
  delete part.steer;
  delete part.result;
  if (seen.state === 'startedAgain') {
    delete part.report;
    noteFault(live, `part ${part.part} had ended before all its lines. It is started again`);
  }
  if (seen.state === 'forgotten') part.mustSee = true;
}

/** Hands a part over once more that Temporal has forgotten, or says who can. */
async function handOver(live: LivePayout, part: Part): Promise<void> {
  const { lines } = live.opened.order;
  const tally = tallyOfPart(part);
  const says = (message: string): void => {
    const trouble = { type: 'NeedsOperator', message };
    part.report = { part: part.part, runId: '', unknown: [], tally, ...part.report, trouble };
  };
  if (lines === undefined) {
    return says(
      `part ${part.part}: Temporal has forgotten its lines. Hand the same lines over again: repeat ` +
        'the call or command that handed them over, or send the update addLines.',
    );
  }
  try {
    await takeOwnPart(live, { part: part.part, lines });
    delete part.report;
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    says(`part ${part.part}: Temporal has forgotten its lines. ${stop.message}`);
  }
}

/** Has every shard looked at that may have begun, since nothing was heard for a while. */
export function doubtAll(live: LivePayout): void {
  for (const part of partsOf(live)) {
    const hasBegun = (part.steer ?? part.report) !== undefined;
    if (hasBegun && !isPartOver(part)) part.mustSee = true;
  }
}
