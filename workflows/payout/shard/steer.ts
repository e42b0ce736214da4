import { upsertMemo, workflowInfo } from '@temporalio/workflow';
import { allLines } from '../../../src/custody/objects/approval';
import type { Steer } from '../records';
import { isDecided, leaveUnsent } from './batches/batches';
import { isOpen, type Shard } from './shard';

/** Takes what its payout wants of a shard now: how many lines, and what people have decided. */
export function takeSteer(shard: Shard, steer: Steer): void {
  const { carried } = shard;
  const before = carried.steer.signed?.decisions ?? [];
  // News is told a while after it begins.
  if (carried.steer.openMax === 0 && shard.reported) shard.reported.atMs = Date.now();
  carried.steer = steer;
  noteSending(shard);
  carried.cancelAsked ||= steer.isCancelled;
  // Its payout is there, and wants to know how it goes.
  carried.isClosed = false;
  shard.payout.firstRunId = steer.firstRunId;
  // Somebody has decided, so that it is asked again at once.
  const known = new Set(before.map(({ signature }) => signature));
  const { decisions = [] } = steer.signed ?? {};
  const decided = decisions.filter(({ signature }) => !known.has(signature));
  if (decided.length > 0) {
    lookAtOnce(shard);
    const alone = shard.lines.flatMap((line) => (isDecided(shard, line) ? line.item : []));
    leaveUnsent(shard, alone);
    const targets = new Set(decided.map((one) => one.target));
    for (const line of shard.payments.at('ready')) {
      const isMeant = targets.has(allLines) || targets.has(shard.writes.targetOf(line));
      if (isMeant) shard.writes.apply(line, { kind: 'hurry' });
    }
  }
  shard.woken = true;
}

/**
 * Notes that lines may be sent from now on, so no caller may replace them. A run that does not know
 * yet what earlier ones have done sends nothing, and must not hide them from the next one.
 */
export function noteSending(shard: Shard): void {
  if (isOpen(shard) && shard.carried.steer.openMax > 0) noteBegun();
}

/**
 * Has every later run of this part read what this one knows of its lines. A run that is started
 * again has the memo of the one before, so the memo names its own run.
 */
export function noteBegun(): void {
  const { memo, firstExecutionRunId } = workflowInfo();
  if (memo?.began !== firstExecutionRunId) upsertMemo({ began: firstExecutionRunId });
}

/** Looks at once, and sends what waits for a time that the writer or the service has named. */
export function wake(shard: Shard): void {
  shard.held.clear();
  for (const line of shard.payments.at('ready')) shard.writes.apply(line, { kind: 'hurry' });
  lookAtOnce(shard);
}

/** Ends a pause between polls. A poll that is under way sees what is final by itself. */
export function pollNow(shard: Shard): void {
  if (shard.pending.has('watch')) return;
  Object.assign(shard, { nextLookMs: 0, emptyLooks: 0, woken: true });
}

/** Ends each wait, so that the shard looks at once. */
function lookAtOnce(shard: Shard): void {
  Object.assign(shard, { nextLookMs: 0, emptyLooks: 0, asksAtMs: 0, woken: true });
  shard.writes.applyToAll({ kind: 'hurry' }, ({ stage }) => stage !== 'ready');
}
