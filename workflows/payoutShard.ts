import { CancellationScope } from '@temporalio/workflow';
import type { ShardOrder } from '../activities/payout/shardOrder';
import type { LineResult } from '../src/orders/payout';
import { tellLines } from './end/tellLines';
import { refusal } from './order/activities';
import { refuseRepeated } from './order/wait';
import { archiveLines } from './payout/archiveLines';
import { isShardOver } from './payout/lookAgain';
import { answerShard } from './payout/shard/answerShard';
import { newShard } from './payout/shard/open/newShard';
import { takeUpBefore } from './payout/shard/open/openShard';
import { payLines } from './payout/shard/payLines';
import { reportEnd } from './payout/shard/report';
import { resultsOf } from './payout/shard/results';
import type { Shard, ShardCarried } from './payout/shard/shard';

/** Pays one part of a payout: sends its lines and polls them together. Returns their results. */
export async function payoutShard(
  order: ShardOrder,
  carried?: ShardCarried,
): Promise<{ lines: LineResult[] }> {
  refuseRepeated();
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
    } while (!isShardOver(shard));
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
