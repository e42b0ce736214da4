import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';
import { SentenceError } from '../../orders/input/sentenceError';
import { shown } from '../../orders/input/shown';
import { counted } from '../../orders/progress/doing';
import { unserved } from './unserved';

/** The time that a caller gives. */
export type Waiting = {
  /** Milliseconds. Without them it waits to the end of the order, for days if need be. */
  timeoutMs?: number | undefined;
};

/** The order goes on, and the caller has stopped waiting. The same call waits for it again. */
export class StillRunningError extends SentenceError {
  override readonly name = 'StillRunningError';
}

/** Long enough for a worker that is busy, and short enough for a person who looks on. */
const firstLookMs = 5_000;

/** Waits for a result until a time is up. Throws a StillRunningError then, which says why. */
export async function awaited<Result>(
  handle: WorkflowHandle,
  result: () => Promise<Result>,
  { timeoutMs }: Waiting,
): Promise<Result> {
  if (timeoutMs === undefined) return result();
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw new BadOrderError(
      `timeoutMs: ${shown(timeoutMs)} must be a number of milliseconds above 0, or absent.`,
    );
  }
  return abandoning(handle, result, async (signal) => {
    await sleep(timeoutMs, undefined, { signal });
    const why = await unserved(handle).catch(() => undefined);
    throw new StillRunningError(
      `${handle.workflowId} has no receipt after ${counted(timeoutMs / 1_000, 'second')}. ` +
        `${why ?? 'Its state is told by: npx steadfast status'} ` +
        'It goes on, and the same call waits for it again.',
    );
  });
}

/**
 * Waits for a result to the end, but not for workers that are not there. A wrong task queue, or a
 * name that no worker knows, throws a StillRunningError after a few seconds.
 */
export function awaitedIfServed<Result>(
  handle: WorkflowHandle,
  result: () => Promise<Result>,
): Promise<Result> {
  return abandoning(handle, result, async (signal) => {
    await sleep(firstLookMs, undefined, { signal });
    const why = await unserved(handle).catch(() => undefined);
    if (why === undefined) return new Promise<never>(() => {});
    throw new StillRunningError(
      `${handle.workflowId} was started, and nothing takes it up. ${why} ` +
        'It waits there, and the same call waits for it again.',
    );
  });
}

/** Races a result against its watch. The one that is too late is ended. */
async function abandoning<Result>(
  { client }: WorkflowHandle,
  result: () => Promise<Result>,
  watch: (signal: AbortSignal) => Promise<never>,
): Promise<Result> {
  const ending = new AbortController();
  const waiting = client.withAbortSignal(ending.signal, result);
  try {
    return await Promise.race([waiting, watch(ending.signal)]);
  } finally {
    waiting.catch(() => {});
    ending.abort();
  }
}
