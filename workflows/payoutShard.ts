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
import { checkReceipts } from './payout/shard/checkReceipts';
import { gather } from './payout/shard/gather';
import { lookAtLines } from './payout/shard/lookAtLines';
import { lookUpLines } from './payout/shard/lookUpLines';
import { takeUpBefore } from './payout/shard/openShard';
import { reportEnd, reportWhenDue } from './payout/shard/report';
import { sendLines } from './payout/shard/sendLines';
import {
  happened,
  linesAt,
  newShard,
  resultsOf,
  type Shard,
  type ShardCarried,
} from './payout/shard/shard';

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

/** One turn: starts what can start, and waits until something has happened. */
async function goOn(shard: Shard): Promise<void> {
  if (isDoubtful(shard)) {
    const lines = linesAt(shard, 'unseen', 'ready', 'doubt', 'unknown');
    for (const line of lines) happened(shard, line, { kind: 'forgot' });
  }
  if (isLong()) {
    await handOn(shard);
    return;
  }
  const parts = [lookUpLines, sendLines, lookAtLines, checkReceipts, reportWhenDue];
  const dueMs = parts.map((begin) => begin(shard));
  wakeAt(shard, Math.min(...dueMs));
  if (isOver(shard)) return;
  await condition(() => shard.woken);
  await gather(shard);
  shard.woken = false;
}

/** True when every line has ended, or when the payout has ended and nothing is pending. */
function isOver(shard: Shard): boolean {
  if (shard.busy > 0 || shard.isReporting) return false;
  if (linesAt(shard, 'sending', 'accepted', 'doubt').length > 0) return false;
  if (shard.carried.isClosed) return true;
  return linesAt(shard, 'unseen', 'ready', 'unknown', 'disputed').length === 0;
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
