import {
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { ShardOrder } from '../../../activities/payout/shardOrder';
import type { LineResult } from '../../../src/orders/payout';
import type { LineTarget } from '../../../src/orders/payout/lineTarget';
import type { Finding } from '../../../src/orders/progress/resolve';
import { memoryKey, type Progress } from '../../../src/orders/progress/status';
import { isAsking } from '../../write/writeState';
import type { Steer } from '../records';
import { decideLine, refuseUnfit } from './decideLine';
import {
  attemptAnew,
  happened,
  type LineState,
  lineAt,
  linesAt,
  resultsOf,
  type Shard,
  targetOf,
} from './shard';

const steerSignal = defineSignal<[Steer]>('steer');
const wakeSignal = defineSignal('wake');
const linesQuery = defineQuery<LineResult[]>('lines');
const orderQuery = defineQuery<ShardOrder>('order');
const progressQuery = defineQuery<Progress>('progress');
const resolveUpdate = defineUpdate<string, [Finding]>('resolve');
const skipUpdate = defineUpdate<string, [Skip]>('skip');
const retryUpdate = defineUpdate<void, [LineTarget[]]>('retry');

type Skip = { lineIds: string[]; reason: string };

/** What a shard answers: its payout steers it, and whoever wants to know its lines asks it. */
export function answerShard(shard: Shard): void {
  setHandler(linesQuery, () => told(shard), {
    description: 'Every line of this part, and what it has come to so far.',
  });
  setHandler(orderQuery, () => shard.order, { description: 'What this shard was started with.' });
  setHandler(progressQuery, () => shard.progress, {
    description: 'Where this part stands, and what keeps it from going on.',
  });
  setHandler(steerSignal, (steer) => takeSteer(shard, steer), {
    description: 'From its payout: whether it may send, how much at a time and how fast.',
  });
  setHandler(wakeSignal, () => lookNow(shard), {
    description: 'Look again now instead of at the next tick. Its content is not believed.',
  });
  setHandler(resolveUpdate, (finding) => decideLine(shard, finding), {
    description: 'Say what became of a line that is unknown. It is verified.',
    validator: (finding) => refuseUnfit(shard, finding),
  });
  setHandler(skipUpdate, (request) => skip(shard, request), {
    description: 'Have lines not be paid that wait: {"lineIds": ["…"], "reason": "…"}.',
    validator: (request) => refuseToSkip(shard, request),
  });
  setHandler(retryUpdate, (targets) => retry(shard, targets), {
    description: 'From its payout: retry failed lines under new keys.',
  });
}

function told(shard: Shard): LineResult[] {
  if (shard.carried.isOpen) return resultsOf(shard);
  throw new Error('The earlier runs of this part are being read. Ask again in a moment.');
}

function takeSteer(shard: Shard, steer: Steer): void {
  shard.carried.steer = steer;
  if (steer.maySend) begin();
  // Whoever steers is there, and wants to know how it goes.
  shard.carried.isClosed = false;
  shard.woken = true;
}

/** Whoever wants to replace its lines sees from now on that some may be sent. */
function begin(): void {
  const memory = workflowInfo().memo?.[memoryKey];
  if (isRecord(memory) && memory.began !== true) {
    upsertMemo({ [memoryKey]: { ...memory, began: true } });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function lookNow(shard: Shard): void {
  shard.nextLookMs = 0;
  shard.emptyLooks = 0;
  for (const { state } of linesAt(shard, 'doubt', 'unknown', 'disputed', 'accepted')) {
    state.notBeforeMs = 0;
  }
  shard.woken = true;
}

function refuseToSkip(shard: Shard, { lineIds }: Skip): void {
  const own = shard.order.lines.filter((line) => lineIds.includes(line.lineId));
  if (own.length === 0) throw new Error('lineIds: none of them is a line of this payout.');
}

function skip(shard: Shard, { lineIds, reason }: Skip): string {
  const words = shard.order.lines.flatMap(({ lineId }, index) => {
    if (!lineIds.includes(lineId)) return [];
    const line = lineAt(shard, index);
    const { stage } = line.state;
    if (isAsking(line.state)) {
      const finding = { target: targetOf(line), finding: 'skip', evidence: reason } as const;
      happened(shard, line, { kind: 'found', finding });
      return [`${lineId} is given up, and stays unknown`];
    }
    if (stage !== 'unseen' && stage !== 'ready') {
      return [`${lineId} is not skipped: it ${standing[stage]}`];
    }
    happened(shard, line, { kind: 'cancel', why: reason });
    if (stage === 'unseen') return [`${lineId} is skipped, unless it was sent before`];
    const { stage: now } = happened(shard, line, { kind: 'sending' });
    return [now === 'stopped' ? `${lineId} is skipped` : `${lineId} may have been sent before`];
  });
  shard.woken = true;
  return `${words.join('; ')}.`;
}

const standing: Readonly<Record<LineState['stage'], string>> = {
  unseen: 'waits',
  ready: 'waits',
  sending: 'is being sent',
  doubt: 'may have been sent',
  unknown: 'is unknown',
  accepted: 'was sent',
  disputed: 'is unknown',
  completed: 'is paid',
  failed: 'has failed',
  refused: 'was refused',
  stopped: 'was skipped',
  givenUp: 'was given up',
};

/** Retries lines whose named generation has failed. Those that are beyond it were retried before. */
async function retry(shard: Shard, targets: LineTarget[]): Promise<void> {
  await condition(() => shard.carried.isOpen);
  for (const { lineId, generation } of targets) {
    const line = linesAt(shard, 'failed', 'refused').find((one) => one.line.lineId === lineId);
    if (line?.state.generation === generation) attemptAnew(shard, line, generation + 1);
  }
  shard.woken = true;
}
