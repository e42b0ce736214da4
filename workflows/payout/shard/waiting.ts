import { condition } from '@temporalio/workflow';
import { holdTask } from '../../order/custody';
import { ringAt } from '../../order/wait';
import type { Shard } from './shard';

const gatherMs = 1_000;
/** The time of a write at the hosted limit of five a second. */
const writeMs = 200;

/**
 * Waits for an answer, or until a moment. It lets answers come together where the service accepts a
 * few calls in a second, so that payments wait in a queue. Each answer would be a workflow task of
 * its own, of three events. A local activity holds this task, and the server keeps for the next one
 * what comes meanwhile. It holds this task's own sends too. So it waits only while older payments
 * fill the queue.
 */
export async function waitForAnswers(shard: Shard, untilMs: number): Promise<void> {
  const ring = (): void => {
    Object.assign(shard, { reachedMs: untilMs, woken: true });
  };
  ringAt(shard, untilMs, { ring });
  await condition(() => shard.woken);
  const sinceMs = Date.now() - gatherMs;
  const queued = [...shard.handedAtMs.values()].filter((atMs) => atMs < sinceMs);
  if (queued.length < 2) return;
  const ms = Math.min(queued.length * writeMs, gatherMs);
  await holdTask('answers that come one by one').holdFor({ ms });
}
