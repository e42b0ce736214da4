import { CancellationScope, condition } from '@temporalio/workflow';
import type { ShardOrder } from '../activities/payout/shardOrder';
import type { LineResult } from '../src/orders/payout';
import { tellLines, tellWhenDue } from './end/tellLines';
import { holdTask, refusal } from './order/custody';
import { ringAt } from './order/wait';
import { archiveLines } from './payout/archiveLines';
import { linesToLookAgain, lookAgain } from './payout/lookAgain';
import { answerShard } from './payout/shard/answerShard';
import { newShard } from './payout/shard/newShard';
import { takeUpBefore } from './payout/shard/openShard';
import { checkReceipts, lookUpLines } from './payout/shard/reading';
import { reportEnd, reportWhenDue } from './payout/shard/report';
import { resultsOf } from './payout/shard/results';
import { sendLines } from './payout/shard/send';
import type { Shard, ShardCarried } from './payout/shard/shard';
import { pollLines } from './payout/shard/watching';
import { drive, isBusy } from './write/drive';

/** Pays one part of a payout: sends its lines and polls them together. Returns their results. */
export async function payoutShard(
  order: ShardOrder,
  carried?: ShardCarried,
): Promise<{ lines: LineResult[] }> {
  const shard = read(order, carried);
  answerShard(shard);
  // Writes may be pending: Temporal's own cancellation only stops further sends.
  const shield = new CancellationScope({ cancellable: false });
  shield.cancelRequested.catch(() => {
    shard.carried.cancelAsked = true;
    shard.woken = true;
  });
  return shield.run(async () => {
    await takeUpBefore(shard);
    // While it reports its end, a request to retry a line may arrive.
    do {
      await payLines(shard);
      if (shard.opened.archives === true) await archiveLines(shard);
      await tellLines(shard);
      await reportEnd(shard);
    } while (!isOver(shard));
    return { lines: resultsOf(shard) };
  });
}

/** Refuses an input that no payout makes. Its workflow task would fail for ever otherwise. */
function read(order: ShardOrder, carried?: ShardCarried): Shard {
  try {
    return newShard(order, carried);
  } catch (error) {
    throw refusal(`A payout starts its parts itself. This is none of its inputs: ${error}`);
  }
}

/** Pays the lines of a part until all have ended, or its payout has. */
function payLines(shard: Shard): Promise<void> {
  // A line that turns out to be in doubt when it is to be sent is looked up in the same turn.
  const kinds = [sendLines, lookUpLines, pollLines, checkReceipts, lookAgain, reportWhenDue];
  return drive(shard, {
    begins: [...kinds, tellWhenDue].map((begin) => () => begin(shard)),
    isOver: () => isOver(shard),
    wait: async (untilMs) => {
      const ring = (): void => {
        Object.assign(shard, { reachedMs: untilMs, woken: true });
      };
      ringAt(shard, untilMs, { ring });
      await condition(() => shard.woken);
      await gather(shard);
    },
  });
}

/** True when every line has ended, or when the payout has ended and nothing is pending. */
function isOver(shard: Shard): boolean {
  if (isBusy(shard)) return false;
  if (shard.payments.at('sending', 'accepted', 'doubt').length > 0) return false;
  if (shard.carried.isClosed) return true;
  if (shard.payments.at('unseen', 'ready', 'unknown', 'disputed').length > 0) return false;
  return linesToLookAgain(shard).length === 0;
}

const gatherMs = 1_000;
/** The time of a write at the hosted limit of five a second. */
const writeMs = 200;

/**
 * Lets answers come together where the service accepts a few calls in a second, so that payments
 * wait in a queue. Each answer would be a workflow task of its own, of three events. A local
 * activity holds this task, and the server keeps for the next one what comes meanwhile. It holds
 * this task's own sends too. So it waits only while older payments fill the queue.
 */
async function gather({ handedAtMs }: Shard): Promise<void> {
  const sinceMs = Date.now() - gatherMs;
  const queued = [...handedAtMs.values()].filter((atMs) => atMs < sinceMs);
  if (queued.length < 2) return;
  const ms = Math.min(queued.length * writeMs, gatherMs);
  await holdTask('answers that come one by one').holdFor({ ms });
}
