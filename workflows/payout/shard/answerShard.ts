import { defineQuery, defineSignal, setHandler } from '@temporalio/workflow';
import type { LineResult } from '../../../src/orders/payout';
import type { LineTarget } from '../../../src/orders/payout/lineTarget';
import { askOnce } from '../../order/activities';
import { noticedSignal, progressQuery, resolveUpdate, wakeSignal } from '../../order/handlers';
import { type Steer, skipUpdate } from '../records';
import { goOnAgain, leaveOut, resolveLine, retryFailed } from './people';
import { resultsOf } from './results';
import { isOpen, type Shard } from './shard';
import { pollNow, takeSteer, wake } from './steer';

const steerSignal = defineSignal<[Steer]>('steer');
const retrySignal = defineSignal<[LineTarget[]]>('retry');
const continueSignal = defineSignal<[number]>('continue');
const linesQuery = defineQuery<LineResult[]>('lines');

/** Registers the handlers of a shard. Its payout steers it, and readers query its lines. */
export function answerShard(shard: Shard): void {
  setHandler(linesQuery, () => readLines(shard), {
    description: 'Every line of this part so far.',
  });
  setHandler(progressQuery, () => shard.progress);
  setHandler(wakeSignal, () => wake(shard));
  setHandler(noticedSignal, () => pollNow(shard));
  setHandler(steerSignal, (steer) => takeSteer(shard, steer));
  setHandler(resolveUpdate, (finding) => askOnce(() => resolveLine(shard, finding)));
  setHandler(retrySignal, (targets) => retryFailed(shard, targets));
  setHandler(continueSignal, (time) => goOnAgain(shard, time));
  setHandler(skipUpdate, (request) => leaveOut(shard, request));
}

function readLines(shard: Shard): LineResult[] {
  if (isOpen(shard)) return resultsOf(shard);
  throw new Error('The earlier runs of this part are being read. Ask again in a moment.');
}
