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
import { batchStep } from '../../../src/custody/batch';
import { allLines } from '../../../src/custody/objects/approval';
import type { LineResult } from '../../../src/orders/payout';
import type { LineTarget } from '../../../src/orders/payout/lineTarget';
import { type Finding, paidSentence } from '../../../src/orders/progress/resolve';
import { memoryKey } from '../../../src/orders/progress/status';
import { askOnce, refusal } from '../../order/custody';
import { noticedSignal, progressQuery, resolveUpdate, wakeSignal } from '../../order/handlers';
import { isAsking, isOver } from '../../write/machine/writeState';
import { weigh } from '../../write/weigh';
import type { Steer } from '../records';
import { dissolve } from './batches';
import { type Payment, stepOf } from './payments';
import { lookUpNow } from './reading';
import { resultsOf } from './results';
import { keepSkipped, type Shard } from './shard';
import { isDecided } from './signatures';

const steerSignal = defineSignal<[Steer]>('steer');
const retrySignal = defineSignal<[LineTarget[]]>('retry');
const continueSignal = defineSignal<[number]>('continue');
const linesQuery = defineQuery<LineResult[]>('lines');
const orderQuery = defineQuery<ShardOrder>('order');
const skipUpdate = defineUpdate<string, [Skip]>('skip');

type Skip = { lineIds: string[]; reason: string };

/** Registers the handlers of a shard. Its payout steers it, and readers query its lines. */
export function answerShard(shard: Shard): void {
  setHandler(linesQuery, () => readLines(shard), {
    description: 'Every line of this part so far.',
  });
  setHandler(orderQuery, () => shard.order, { description: 'The input of this shard.' });
  setHandler(progressQuery, () => shard.progress);
  setHandler(steerSignal, (steer) => takeSteer(shard, steer));
  setHandler(wakeSignal, () => wake(shard));
  setHandler(noticedSignal, () => pollNow(shard));
  setHandler(resolveUpdate, (finding) => askOnce(() => decide(shard, finding)));
  setHandler(skipUpdate, (request) => askOnce(() => skip(shard, request)));
  setHandler(retrySignal, (targets) => retry(shard, targets));
  setHandler(continueSignal, (time) => goOnAgain(shard, time));
}

function isOpen({ carried }: Shard): boolean {
  return carried.earlier !== undefined;
}

function readLines(shard: Shard): LineResult[] {
  if (isOpen(shard)) return resultsOf(shard);
  throw new Error('The earlier runs of this part are being read. Ask again in a moment.');
}

function takeSteer(shard: Shard, steer: Steer): void {
  const { carried } = shard;
  const before = carried.steer.signed?.decisions ?? [];
  // From now on some lines may be sent, so no caller may replace them.
  if (steer.openMax > 0) noteBegun();
  // News is told a while after it begins.
  if (carried.steer.openMax === 0 && shard.reported) shard.reported.atMs = Date.now();
  carried.steer = steer;
  carried.cancelAsked ||= steer.isCancelled;
  // Its payout is there, and wants to know how it goes.
  carried.isClosed = false;
  shard.payout.firstRunId = steer.firstRunId;
  // Somebody has decided, so that it is asked again at once.
  const known = new Set(before.map(({ signature }) => signature));
  const { decisions = [] } = steer.signed ?? {};
  const decided = decisions.filter(({ signature }) => !known.has(signature));
  if (decided.length > 0) {
    const alone = shard.lines.flatMap((line) => (isDecided(shard, line) ? line.item : []));
    leaveUnsent(shard, alone);
    const targets = new Set(decided.map((one) => one.target));
    for (const line of shard.payments.at('ready')) {
      const isMeant = targets.has(allLines) || targets.has(shard.writes.targetOf(line));
      if (isMeant) shard.writes.apply(line, { kind: 'hurry' });
    }
    lookNow(shard);
  }
  shard.woken = true;
}

/** Has every later run of this part read what this one knows of its lines. */
function noteBegun(): void {
  if (!workflowInfo().memo?.began) upsertMemo({ began: true });
}

/** Looks at once, and sends what waits for a time that the writer or the service has named. */
export function wake(shard: Shard): void {
  shard.held.clear();
  for (const line of shard.payments.at('ready')) shard.writes.apply(line, { kind: 'hurry' });
  lookNow(shard);
}

/** Ends a pause between polls. A poll that is under way sees what is final by itself. */
function pollNow(shard: Shard): void {
  if (shard.pending.has('watch')) return;
  Object.assign(shard, { nextLookMs: 0, emptyLooks: 0, woken: true });
}

function lookNow(shard: Shard): void {
  Object.assign(shard, { nextLookMs: 0, emptyLooks: 0, asksAtMs: 0, woken: true });
  shard.writes.applyToAll({ kind: 'hurry' }, ({ stage }) => stage !== 'ready');
}

/** Takes a person's finding on a line. It counts only while exactly that line waits for one. */
async function decide(shard: Shard, finding: Finding): Promise<string> {
  const asking = shard.payments.at('unknown', 'disputed');
  const line = asking.find((one) => shard.writes.targetOf(one) === finding.target);
  if (line === undefined) throw refusal(`target: ${finding.target} does not wait for a finding.`);
  try {
    const isCompleted = finding.finding === 'completed';
    // The service's list may show a batch that pays the line.
    const looksFirst = finding.finding === 'noEffect' || (isCompleted && line.step !== batchStep);
    if (looksFirst && !(await lookUpNow(shard, [line], finding))) {
      throw refusal('The service does not answer now. Try again.');
    }
    const batch = shard.payments.batchByLine().get(line.item);
    if (batch !== undefined)
      return `${finding.target} is paid by ${shard.writes.targetOf(batch)}, and ends with it.`;
    if (!isAsking(shard.writes.stateOf(line))) return `${finding.target} does not wait any more.`;
    if (isContradiction(shard, line) && isCompleted) return compareAgain(shard, line);
    const words = await weigh(shard, stepOf(shard, line), finding);
    keepFound(shard, line);
    return words;
  } finally {
    shard.woken = true;
  }
}

/** Keeps the transaction that somebody has found, for other runs of this part. */
function keepFound(shard: Shard, payment: Payment): void {
  const { accepted } = shard.writes.stateOf(payment);
  if (accepted === undefined) return;
  const told: unknown = workflowInfo().memo?.[memoryKey];
  const memory: { findings?: object } = typeof told === 'object' && told !== null ? told : {};
  const findings = { ...memory.findings, [shard.writes.targetOf(payment)]: accepted };
  upsertMemo({ [memoryKey]: { ...memory, findings } });
}

/**
 * True for a batch whose record and chain contradict each other. Where the chain shows its call, it
 * shows as well which lines were paid.
 */
function isContradiction(shard: Shard, payment: Payment): boolean {
  const { stage, paidIn } = shard.writes.stateOf(payment);
  return payment.step === batchStep && stage === 'disputed' && paidIn === undefined;
}

/** Compares a batch with the chain at once. The chain alone tells which of its lines were paid. */
function compareAgain(shard: Shard, batch: Payment): string {
  lookNow(shard);
  return (
    `${shard.writes.targetOf(batch)} is compared with the chain once more, since the chain alone tells ` +
    'which of its lines were paid. If they still contradict each other, give it up with "skip".'
  );
}

async function skip(shard: Shard, request: Skip): Promise<string> {
  await condition(() => isOpen(shard));
  return skipNow(shard, request);
}

/** Skips lines that were not sent. Returns what became of each one. */
export function skipNow(shard: Shard, { lineIds, reason }: Skip): string {
  const lines = shard.lines.filter(({ item }) => lineIds.includes(item));
  if (lines.length === 0) throw refusal('lineIds: none of them is a line of this payout.');
  leaveUnsent(shard, lineIds);
  const batched = shard.payments.batchByLine();
  const words = lines.map((line) => {
    const { item } = line;
    const batch = batched.get(item);
    if (batch !== undefined) {
      const name = shard.writes.targetOf(batch);
      return `${item} is not skipped: it is in ${name}, which may have been sent`;
    }
    const state = shard.writes.stateOf(line);
    const target = shard.writes.targetOf(line);
    if (isAsking(state) && state.paidIn !== undefined)
      return paidSentence({ target, paidIn: state.paidIn }).slice(0, -1);
    if (isAsking(state)) {
      const finding = { target, finding: 'skip', evidence: reason } as const;
      shard.writes.hear(line, { kind: 'found', finding });
      return `${item} is given up, and stays unknown`;
    }
    if (state.stage !== 'unseen' && state.stage !== 'ready') {
      return `${item} is not skipped: it ${isOver(state) ? 'has ended' : 'may have been sent'}`;
    }
    shard.writes.hear(line, { kind: 'cancel', why: reason });
    keepSkipped(shard, item);
    // Its payout may end before it begins, and is continued without this line.
    noteBegun();
    return `${item} is skipped, unless it was sent before`;
  });
  shard.woken = true;
  return `${words.join('; ')}.`;
}

/** Takes lines out of batches that were never sent. */
function leaveUnsent(shard: Shard, lineIds: readonly string[]): void {
  for (const batch of new Set(shard.payments.batchByLine().values())) {
    const { stage, tries } = shard.writes.stateOf(batch);
    const isUnsent = (stage === 'unseen' || stage === 'ready') && tries === 'clean';
    const isNamed = batch.lineIds.some((lineId) => lineIds.includes(lineId));
    if (isUnsent && isNamed) dissolve(shard, batch, lineIds);
  }
}

/** Takes up the lines that the cancellation of the payout has left, once for each time. */
async function goOnAgain(shard: Shard, time: number): Promise<void> {
  await condition(() => isOpen(shard));
  const { carried, lines } = shard;
  if (time <= (carried.continued ?? 0)) return;
  Object.assign(carried, { continued: time, cancelAsked: false });
  for (const line of lines) {
    if (carried.skippedAlone?.includes(line.item)) continue;
    const isInBatch = carried.batchOf?.[line.item] !== undefined;
    shard.writes.apply(line, { kind: 'continued', isInBatch });
  }
  shard.woken = true;
}

async function retry(shard: Shard, targets: readonly LineTarget[]): Promise<void> {
  await condition(() => isOpen(shard));
  retryNow(shard, targets);
}

/** Retries lines whose named generation has failed. Lines beyond it were retried before. */
export function retryNow(shard: Shard, targets: readonly LineTarget[]): void {
  for (const { lineId, generation } of targets) {
    const line = shard.payments.line(lineId);
    if (line === undefined) continue;
    const state = shard.writes.stateOf(line);
    const hasFailed = state.stage === 'failed' || state.stage === 'refused';
    if (!hasFailed || state.generation !== generation) continue;
    // A refused line was never accepted, and that is proof enough.
    const proof = { isProven: state.stage === 'refused' };
    shard.writes.apply(line, { kind: 'again', generation: generation + 1, ...proof });
  }
  shard.woken = true;
}
