import { ApplicationFailure, sleep } from '@temporalio/workflow';
import type { OpenedShard } from '../../../activities/payout/openShard';
import type { LineResult } from '../../../src/orders/payout';
import { longReads, stopOf } from '../../order/custody';
import { show, stumbled } from '../../order/show';
import { operatorDelayMs, troubleDelayMs } from '../../write/delays';
import { attemptAnew, put } from './move';
import { type Line, type LineState, lineAt, type Shard } from './shard';

/** Learns what earlier runs of the shard have done, and goes on from there. */
export async function takeUpBefore(shard: Shard): Promise<void> {
  const { carried, order } = shard;
  if (carried.opened === undefined) {
    const { before, ...opened } = await open(shard);
    carried.bornAtMs = opened.bornAtMs ?? Date.now();
    carried.isLookedFor = false;
    for (const result of before ?? []) takeUp(shard, result);
    for (const index of order.lines.keys()) raise(shard, lineAt(shard, index));
    carried.opened = opened;
  }
  show(shard, 'Waiting', 'its payout');
}

async function open(shard: Shard): Promise<OpenedShard> {
  for (let look = 1; ; look++) {
    try {
      return await longReads('hold the lines against earlier runs').openShard();
    } catch (error) {
      const stop = stopOf(error);
      if (stop === undefined) throw error;
      if (stop.type === 'Refused') throw ApplicationFailure.nonRetryable(stop.message, 'Refused');
      stumbled(shard, stop.message);
      const isAgain = stop.type === 'Again';
      show(shard, isAgain ? 'Preparing' : 'NeedsOperator', stop.message);
      await sleep(isAgain ? troubleDelayMs(look) : operatorDelayMs(look));
    }
  }
}

const stages: Readonly<Record<LineResult['outcome'], LineState['stage']>> = {
  paid: 'paid',
  failed: 'failed',
  skipped: 'skipped',
  waiting: 'waiting',
  unknown: 'unknown',
};

/** A line as an earlier run has left it. */
function takeUp(shard: Shard, result: LineResult): void {
  const index = shard.order.lines.findIndex(({ lineId }) => lineId === result.lineId);
  const { outcome, generation, transactionId, txHash, reason, givenUp } = result;
  put(lineAt(shard, index), givenUp ? 'givenUp' : stages[outcome], {
    generation,
    ...(outcome === 'unknown' ? { tries: 'ambiguous', bornAtMs: shard.carried.bornAtMs } : {}),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(txHash === undefined ? {} : { txHash }),
    ...(reason === undefined ? {} : { reason }),
  });
}

/** A new attempt that was decided upon since. */
function raise(shard: Shard, line: Line): void {
  const { state } = line;
  const generation = shard.order.generations[line.line.lineId] ?? 0;
  if (state.stage === 'failed' && generation > state.generation) attemptAnew(line, generation);
}
