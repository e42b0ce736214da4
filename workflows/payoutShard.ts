import {
  allHandlersFinished,
  CancellationScope,
  condition,
  makeContinueAsNewFunc,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ShardOrder } from '../activities/payout/shardOrder';
import type { LineResult } from '../src/orders/payout';
import { isDoubtful } from './run';
import { answerShard } from './shard/answerShard';
import { gather } from './shard/gather';
import { lookAtLines } from './shard/lookAtLines';
import { takeUpBefore } from './shard/openShard';
import { reportEnd, reportWhenDue } from './shard/report';
import { seekAll, seekLines } from './shard/seekLines';
import { sendLines } from './shard/sendLines';
import { linesAt, newShard, resultsOf, type Shard, type ShardCarried } from './shard/shard';
import { isLong } from './wait';

/**
 * Pays one part of a payout: sends its lines as its payout lets it, and looks at all that is open
 * together. Returns what every line has come to.
 */
export async function payoutShard(
  order: ShardOrder,
  carried?: ShardCarried,
): Promise<{ lines: LineResult[] }> {
  const shard = newShard(order, carried);
  answerShard(shard);
  // Something may be under way: Temporal's own cancellation only keeps more from being sent.
  const shield = new CancellationScope({ cancellable: false });
  shield.cancelRequested.catch(() => {
    const stopped = 'Temporal itself was asked to cancel this part.';
    shard.carried.steer = { ...shard.carried.steer, stopped };
    shard.woken = true;
  });
  return shield.run(async () => {
    await takeUpBefore(shard);
    // While it tells that it is done, it may be asked to attempt a line anew.
    do {
      while (!isOver(shard)) await goOn(shard);
      await reportEnd(shard);
    } while (!isOver(shard));
    return { lines: resultsOf(shard) };
  });
}

/** One turn: begins whatever can be begun, and rests until something has come of it. */
async function goOn(shard: Shard): Promise<void> {
  const { carried } = shard;
  if (isDoubtful(shard) && !shard.wasDoubtful) {
    // A reset has forgotten what was sent after it.
    shard.wasDoubtful = true;
    carried.isLookedFor = false;
  }
  if (!carried.isLookedFor) {
    await seekAll(shard);
    if (!carried.isLookedFor) await sleep(seekPauseMs, { summary: 'until it is looked for again' });
    return;
  }
  if (isLong()) {
    await handOn(shard);
    return;
  }
  const dueMs = [sendLines, lookAtLines, seekLines, reportWhenDue].map((begin) => begin(shard));
  wakeAt(shard, Math.min(...dueMs));
  if (isOver(shard)) return;
  await condition(() => shard.woken);
  await gather(shard);
  shard.woken = false;
}

const seekPauseMs = 5_000;

/** Whether nothing is left to be done: every line has ended, or nobody is there to pay for them. */
function isOver(shard: Shard): boolean {
  const { isClosed, isLookedFor } = shard.carried;
  if (shard.busy > 0 || shard.isReporting || !isLookedFor) return false;
  if (linesAt(shard, 'sending', 'sent', 'doubt').length > 0) return false;
  if (isClosed) return linesAt(shard, 'waiting').every(({ state }) => state.tries === 'clean');
  return linesAt(shard, 'waiting', 'unknown').length === 0;
}

/** Wakes the shard at a moment, by one timer at a time: an earlier one does as well. */
function wakeAt(shard: Shard, atMs: number): void {
  const { alarmMs } = shard;
  if (atMs === Number.POSITIVE_INFINITY || (alarmMs !== undefined && alarmMs <= atMs)) return;
  shard.alarmMs = atMs;
  const ring = (): void => {
    if (shard.alarmMs === atMs) shard.alarmMs = undefined;
    shard.woken = true;
  };
  void sleep(Math.max(atMs - Date.now(), 1)).then(ring);
}

/** Hands the lines on to a fresh run, once nothing of this one is under way. */
async function handOn(shard: Shard): Promise<void> {
  await condition(() => shard.busy === 0 && !shard.isReporting && allHandlersFinished());
  const { carried, order } = shard;
  carried.progress = shard.progress.timeline;
  carried.doubtful = isDoubtful(shard);
  const memo = workflowInfo().memo ?? {};
  const next = makeContinueAsNewFunc<typeof payoutShard>;
  await next({ memo })(order, carried);
}
