import { condition } from '@temporalio/workflow';
import { holdTask } from '../../order/activities';
import { ringAt } from '../alarm';
import type { Shard } from './shard';

const gatherMs = 1_000;
/** The time of a write at the hosted limit of five a second. */
const writeMs = 200;

/**
 * Waits for an answer, or until a moment. A service that accepts a few calls in a second makes
 * payments wait in a queue. Each of their answers would be a workflow task of three events. So a
 * local activity holds this task for a while, and the server keeps the answers for the next task.
 * The sends of this task wait too, so it waits only while older payments queue.
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
