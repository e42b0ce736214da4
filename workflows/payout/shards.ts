import { workflowInfo } from '@temporalio/workflow';
import type { Seen } from '../../activities/payout/shards';
import { counted } from '../../src/orders/payout/tally';
import { longReads, stopOf } from '../order/custody';
import { finished, stumbled } from '../order/show';
import { patiently } from './asking';
import { bookOf, isOver, type LivePayout, partsOf, tallyOfPart } from './book';
import type { Part, ShardReport } from './records';

/** Adopts the shards of earlier runs of this payout, so that they stop, and their lines count. */
export async function adoptShards(live: LivePayout): Promise<void> {
  const book = bookOf(live);
  const { workflowId } = workflowInfo();
  const known = partsOf(book).map(({ shardId }) => shardId);
  const found = await patiently(live)(() =>
    longReads('find the parts of earlier runs').findShards({ workflowId, known }),
  );
  // Some may have been handed over meanwhile.
  const others = found.filter(({ part }) => book.parts[part] === undefined);
  if (others.length === 0) return;
  for (const part of others) book.parts[part.part] = { ...part, isAdopted: true, mustSee: true };
  const lines = others.reduce((sum, part) => sum + part.lines, 0);
  const many = `${counted(others.length, 'part')} of an earlier run`;
  const words = `found ${many}, with ${counted(lines, 'line')}. What was sent settles`;
  finished(live, `${words}, and no other line goes before the seal`);
}

/**
 * Reads how the shards stand that say that they are over, or that do not answer. The end of a part
 * is the result of its shard, and it is kept here, since Temporal forgets it after a while.
 */
export async function seeToShards(live: LivePayout): Promise<void> {
  const due = partsOf(bookOf(live)).filter(({ mustSee }) => mustSee === true);
  if (due.length === 0) return;
  const seeing = due.map(({ shardId, report }) => ({
    shardId,
    isClosing: report?.stage === 'over',
  }));
  try {
    const what = `how ${counted(due.length, 'part')} stand`;
    const seen = await longReads(what).seeToShards(seeing);
    for (const [at, part] of due.entries()) {
      const own = seen[at];
      if (own !== undefined) takeOver(live, part, own);
    }
  } catch (error) {
    const stop = stopOf(error);
    if (stop === undefined) throw error;
    stumbled(live, stop.message);
  }
}

function takeOver(live: LivePayout, part: Part, seen: Seen): void {
  const isClosing = part.report?.stage === 'over';
  if (seen.state === 'running' && isClosing) return;
  delete part.mustSee;
  if (seen.state === 'over' && seen.result.tally.lines === part.lines) {
    part.result = seen.result;
    delete part.steer;
    delete part.report;
    return;
  }
  // What was known before stays, when only the shard is forgotten.
  if (seen.state === 'forgotten' && part.result !== undefined) return;
  if (seen.state === 'running' || seen.state === 'startedAgain') {
    reopen(part, isClosing || part.report === undefined ? 'ready' : part.report.stage);
    if (seen.state === 'startedAgain') {
      stumbled(live, `part ${part.part} had ended before all its lines. It is started again`);
    }
    return;
  }
  part.mustSee = true;
  reopen(part, 'ready');
  const message =
    `part ${part.part}: Temporal has forgotten its lines. Hand the same lines over again: repeat ` +
    'the call or command that handed them over, or send the update addLines.';
  Object.assign(part.report ?? {}, { trouble: { type: 'NeedsOperator', message } });
}

/** A shard that goes on waits to be told what it may do. */
function reopen(part: Part, stage: ShardReport['stage']): void {
  const known = { part: part.part, open: 0, unknown: [], tally: tallyOfPart(part) };
  part.report = { ...known, ...part.report, stage };
  delete part.report.trouble;
  delete part.result;
  delete part.steer;
}

/** Has every shard looked at that may have begun, since nothing was heard for a while. */
export function doubtAll(live: LivePayout): void {
  for (const part of partsOf(bookOf(live))) {
    if (!isOver(part) && part.steer !== undefined) part.mustSee = true;
  }
}
