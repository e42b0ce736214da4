import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { SentenceError } from '../../orders/input/sentenceError';
import { counted } from '../../orders/progress/doing';
import { firstTaskFault } from '../temporal/taskFault';
import { checkLimit } from './limit';
import { unserved } from './unserved';

/** The time that a caller gives. */
export type Waiting = {
  /**
   * Milliseconds. Without them it waits to the end of the order, for days if need be. Infinity
   * waits for workers, too, where none is there.
   */
  timeoutMs?: number | undefined;
};

/** The order goes on, and the caller has stopped waiting. The same call waits for it again. */
export class StillRunningError extends SentenceError {
  override readonly name = 'StillRunningError';
}

/**
 * The first pause is long enough for a worker that is busy, and short enough for a person who looks
 * on. A worker on a busy machine may take longer to find out that it does not know a name.
 */
const pausesMs = [5_000, 10_000, 20_000, 40_000];

/** A timer of Node that is longer, some 24 days, ends at once. */
const timerMsMax = 2 ** 31 - 1;

/**
 * Waits for a result of an order. Throws a StillRunningError when `timeoutMs` is up. Without it,
 * the wait goes on to the end, but not for workers that are not there. A wrong task queue, or a
 * name that no worker knows, throws one after a few seconds. Infinity waits for workers, too.
 */
export async function awaited<Result>(
  handle: WorkflowHandle,
  result: () => Promise<Result>,
  { timeoutMs }: Waiting = {},
): Promise<Result> {
  checkLimit(timeoutMs);
  if (timeoutMs === Infinity) return result();
  return abandoning(handle, result, async (signal) => {
    if (timeoutMs === undefined) return untilUnserved(handle, signal);
    for (let leftMs = timeoutMs; leftMs > 0; leftMs -= timerMsMax) {
      await sleep(Math.min(leftMs, timerMsMax), undefined, { signal });
    }
    const why = await unserved(handle).catch(() => undefined);
    throw new StillRunningError(
      `${handle.workflowId} has no receipt after ${counted(timeoutMs / 1_000, 'second')}. ` +
        `${why ?? 'Its state is told by: npx --no-install steadfast status'} ` +
        'It goes on, and the same call waits for it again.',
    );
  });
}

/** Throws as soon as nothing takes the order up, and otherwise never ends. */
async function untilUnserved(handle: WorkflowHandle, signal: AbortSignal): Promise<never> {
  for (const pauseMs of pausesMs) {
    await sleep(pauseMs, undefined, { signal });
    // Workers that have begun it, and cannot go on, may be replaced. The wait outlasts that.
    const why = await unserved(handle, firstTaskFault).catch(() => undefined);
    if (why === undefined) continue;
    throw new StillRunningError(
      `${handle.workflowId} was started, and nothing takes it up. ${why} ` +
        'It waits there, and the same call waits for it again.',
    );
  }
  return new Promise<never>(() => {});
}

/** Races a result against its watch. The slower of the two is ended. */
async function abandoning<Result>(
  { client }: WorkflowHandle,
  result: () => Promise<Result>,
  watch: (signal: AbortSignal) => Promise<never>,
): Promise<Result> {
  const ending = new AbortController();
  // Temporal's client adds a listener with each poll, and Node warns of more than ten.
  setMaxListeners(0, ending.signal);
  const waiting = client.withAbortSignal(ending.signal, result);
  try {
    return await Promise.race([waiting, watch(ending.signal)]);
  } finally {
    waiting.catch(() => {});
    ending.abort();
  }
}
