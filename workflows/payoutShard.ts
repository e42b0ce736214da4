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
import { isDoubtful } from './order/liveOrder';
import { isLong } from './order/wait';
import { answerShard } from './payout/shard/answerShard';
import { gather } from './payout/shard/gather';
import { lookAtLines } from './payout/shard/lookAtLines';
import { takeUpBefore } from './payout/shard/openShard';
import { reportEnd, reportWhenDue } from './payout/shard/report';
import { seekAll, seekLines } from './payout/shard/seekLines';
import { sendLines } from './payout/shard/sendLines';
import { linesAt, newShard, resultsOf, type Shard, type ShardCarried } from './payout/shard/shard';

/** Pays one part of a payout: sends its lines and polls them together. Returns their results. */
export async function payoutShard(
  order: ShardOrder,
  carried?: ShardCarried,
): Promise<{ lines: LineResult[] }> {
  const shard = newShard(order, carried);
  answerShard(shard);
  // Writes may be pending: Temporal's own cancellation only stops further sends.
  const shield = new CancellationScope({ cancellable: false });
  shield.cancelRequested.catch(() => {
    const stopped = 'Temporal itself was asked to cancel this part.';
    shard.carried.steer = { ...shard.carried.steer, stopped };
    shard.woken = true;
  });
  return shield.run(async () => {
    await takeUpBefore(shard);
    // While it reports its end, a request to retry a line may arrive.
    do {
      while (!isOver(shard)) await goOn(shard);
      await reportEnd(shard);
    } while (!isOver(shard));
    return { lines: resultsOf(shard) };
  });
}

/** One turn: begins what can begin, and waits until something has happened. */
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

/** True when every line is final, or when the payout is closed and nothing is pending. */
function isOver(shard: Shard): boolean {
  const { isClosed, isLookedFor } = shard.carried;
  if (shard.busy > 0 || shard.isReporting || !isLookedFor) return false;
  if (linesAt(shard, 'sending', 'sent', 'doubt').length > 0) return false;
  if (isClosed) return linesAt(shard, 'waiting').every(({ state }) => state.tries === 'clean');
  return linesAt(shard, 'waiting', 'unknown').length === 0;
}

/** Wakes the shard at a moment. An earlier timer serves as well. */
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

/** Continues as a new run, once nothing of this one is pending. */
async function handOn(shard: Shard): Promise<void> {
  await condition(() => shard.busy === 0 && !shard.isReporting && allHandlersFinished());
  const { carried, order } = shard;
  carried.progress = shard.progress.timeline;
  carried.doubtful = isDoubtful(shard);
  const memo = workflowInfo().memo ?? {};
  const next = makeContinueAsNewFunc<typeof payoutShard>;
  await next({ memo })(order, carried);
}
