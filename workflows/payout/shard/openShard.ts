import { ApplicationFailure, sleep } from '@temporalio/workflow';
import type { OpenedShard } from '../../../activities/payout/openShard';
import type { LineResult } from '../../../src/orders/payout';
import { longReads, stopOf } from '../../order/custody';
import { show, stumbled } from '../../order/show';
import { operatorDelayMs, troubleDelayMs } from '../../write/delays';
import { newWrite } from '../../write/writeState';
import { attemptAnew, type Line, type LineState, lineAt, type Shard } from './shard';

/** Learns what earlier runs of the shard have done, and goes on from there. */
export async function takeUpBefore(shard: Shard): Promise<void> {
  const { carried } = shard;
  if (!carried.isOpen) {
    const { before = [], bornAtMs } = await open(shard);
    // Whatever an earlier run does not tell of may have been sent.
    if (bornAtMs !== undefined) {
      const tries = 'ambiguous' as const;
      carried.states = carried.states.map((state) => ({ ...state, tries, knownAtMs: bornAtMs }));
    }
    for (const result of before) takeUp(shard, result);
    for (const index of carried.states.keys()) raise(shard, lineAt(shard, index));
    carried.isOpen = true;
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

/** The stages in which an earlier run leaves a line for ever. All others are looked up. */
const stages: Readonly<Partial<Record<LineResult['outcome'], LineState['stage']>>> = {
  paid: 'completed',
  failed: 'failed',
  skipped: 'stopped',
};

/** A line as an earlier run has left it. */
function takeUp(shard: Shard, result: LineResult): void {
  const index = shard.order.lines.findIndex(({ lineId }) => lineId === result.lineId);
  const { outcome, generation, transactionId, txHash, reason, givenUp, isUnsent } = result;
  const { state } = lineAt(shard, index);
  if (isUnsent) {
    // A waiting line has a later generation only after the end of the one before.
    const isProven = generation > 0;
    shard.carried.states[index] = newWrite({ generation, knownAtMs: Date.now(), isProven });
    return;
  }
  const isRefused = outcome === 'failed' && transactionId === undefined;
  const ended = isRefused ? 'refused' : stages[outcome];
  const stage = givenUp ? 'givenUp' : (ended ?? 'unseen');
  const record = transactionId && txHash ? { id: transactionId, state: '', txHash } : undefined;
  shard.carried.states[index] = { ...state, stage, generation, transactionId, record, why: reason };
}

/** A new attempt that was decided since. */
function raise(shard: Shard, line: Line): void {
  const generation = shard.order.generations[line.line.lineId] ?? 0;
  const isEnded = line.state.stage === 'failed' || line.state.stage === 'refused';
  if (isEnded && generation > line.state.generation) attemptAnew(shard, line, generation);
}
