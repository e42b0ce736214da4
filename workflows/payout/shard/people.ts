import { condition } from '@temporalio/workflow';
import { batchStep } from '../../../src/custody/batch';
import type { LineTarget } from '../../../src/orders/payout/lineTarget';
import { type Finding, paidSentence } from '../../../src/orders/progress/resolve';
import { refusal } from '../../order/activities';
import { isAsking, isOver, wishOf } from '../../write/machine/writeState';
import { weigh } from '../../write/weigh';
import type { Skip } from '../records';
import { leaveUnsent } from './batches/batches';
import { type Payment, stepOf } from './payments';
import { lookUpNow } from './reading';
import { rememberFound } from './recall';
import { isOpen, type Shard } from './shard';
import { noteBegun } from './steer';

/** Takes a person's finding on a line. It counts only while exactly that line waits for one. */
export async function resolveLine(shard: Shard, finding: Finding): Promise<string> {
  const asking = shard.payments.at('unknown', 'disputed');
  const line = asking.find((one) => shard.writes.targetOf(one) === finding.target);
  if (line === undefined) throw refusal(`target: ${finding.target} does not wait for a finding.`);
  try {
    const isCompleted = finding.finding === 'completed';
    const isSought = wishOf(shard.writes.stateOf(line)).want === 'lookUp';
    // The service's list may show a batch that pays the line. A line with a transaction has none.
    const looksFirst =
      isSought && (finding.finding === 'noEffect' || (isCompleted && line.step !== batchStep));
    if (looksFirst && !(await lookUpNow(shard, [line], finding))) {
      throw refusal('The service does not answer now. Try again.');
    }
    const step = stepOf(shard, line);
    const batch = shard.payments.batchByLine().get(line.item);
    if (batch !== undefined)
      return `${finding.target} is paid by ${shard.writes.targetOf(batch)}, and ends with it.`;
    if (!isAsking(shard.writes.stateOf(line))) return `${finding.target} does not wait any more.`;
    if (isContradiction(shard, line) && isCompleted) return compareAgain(shard, line);
    const words = await weigh(shard, step, finding);
    rememberFound(shard, line);
    return words;
  } finally {
    shard.woken = true;
  }
}

/**
 * True for a batch whose record and chain contradict each other. Where the chain shows exactly its
 * call, it shows as well which lines were paid.
 */
function isContradiction(shard: Shard, payment: Payment): boolean {
  const { stage, paidIn } = shard.writes.stateOf(payment);
  return payment.step === batchStep && stage === 'disputed' && paidIn === undefined;
}

/** Compares a batch with the chain at once. The chain alone tells which of its lines were paid. */
function compareAgain(shard: Shard, batch: Payment): string {
  shard.writes.apply(batch, { kind: 'hurry' });
  shard.nextLookMs = 0;
  return (
    `${shard.writes.targetOf(batch)} is compared with the chain once more, since the chain alone tells ` +
    'which of its lines were paid. If they still contradict each other, give it up with "skip".'
  );
}

/**
 * Skips lines that were not sent, as soon as the earlier runs of the part are known. Returns what
 * became of each one.
 */
export async function leaveOut(shard: Shard, { lineIds, reason }: Skip): Promise<string> {
  await condition(() => isOpen(shard));
  const lines = shard.lines.filter(({ item }) => lineIds.includes(item));
  if (lines.length === 0) throw refusal('lineIds: none of them is a line of this payout.');
  leaveUnsent(shard, lineIds);
  const batched = shard.payments.batchByLine();
  const skippedAlone = new Set(shard.carried.skippedAlone);
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
    const isUnsent = ['unseen', 'ready'].includes(state.stage) || state.goesOnAs !== undefined;
    if (!isUnsent) {
      return `${item} is not skipped: it ${isOver(state) ? 'has ended' : 'may have been sent'}`;
    }
    shard.writes.hear(line, { kind: 'cancel', why: reason });
    skippedAlone.add(item);
    // Its payout may end before it begins, and is continued without this line.
    noteBegun();
    return `${item} is skipped, unless it was sent before`;
  });
  shard.carried.skippedAlone = [...skippedAlone];
  shard.woken = true;
  return `${words.join('; ')}.`;
}

/** Takes up the lines that the cancellation of the payout has left, once for each time. */
export async function goOnAgain(shard: Shard, time: number): Promise<void> {
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

/**
 * Retries lines whose named generation has failed, as soon as the earlier runs of the part are
 * known. Lines beyond it were retried before.
 */
export async function retryFailed(shard: Shard, targets: readonly LineTarget[]): Promise<void> {
  await condition(() => isOpen(shard));
  for (const { lineId, generation } of targets) {
    const line = shard.payments.line(lineId);
    if (line === undefined) continue;
    const state = shard.writes.stateOf(line);
    const hasFailed = state.stage === 'failed' || state.stage === 'refused';
    if (!hasFailed || state.generation !== generation) continue;
    // A line that was never accepted had no effect. What a record says of it may be corrected.
    const wasAccepted = state.transactionId !== undefined && !failedAlone(shard, line);
    const isProven = state.stage === 'refused' && !wasAccepted;
    shard.writes.apply(line, { kind: 'again', generation: generation + 1, isProven });
  }
  shard.woken = true;
}

/** True if the chain has proven that the payment of a line failed alone in its last batch. */
function failedAlone({ carried }: Shard, { item }: Payment): boolean {
  const batch = carried.batchOf?.[item];
  return batch !== undefined && carried.unpaidIn?.[item]?.includes(batch) === true;
}
