import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { FailureFacts, FailureType } from '../activities/attempt';

/** One HTTP call has a deadline of 10 s; what takes longer has lost its worker. */
const callTimeoutMs = 12_000;

/**
 * Reads change nothing, so they are tried again quickly. After some ten seconds the workflow says
 * what it waits for, and reads again.
 */
const readOptions = {
  startToCloseTimeout: callTimeoutMs,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumAttempts: 5 },
};

/** One try: whether a write is tried again, and when, follows from what came of all its tries. */
const writeOptions = { startToCloseTimeout: callTimeoutMs, retry: { maximumAttempts: 1 } };

/** What reads several things, one after another, says meanwhile that it is alive. */
const longReadOptions = {
  ...readOptions,
  startToCloseTimeout: 600_000,
  heartbeatTimeout: callTimeoutMs,
};

/** What changes nothing but Temporal, and must come to pass however long it takes. */
const startOptions = {
  startToCloseTimeout: callTimeoutMs,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 60_000 },
};

/** Activities that start other workflows, which is safe to do again. */
export function starts(summary: string) {
  return proxyActivities<Activities>({ ...startOptions, summary });
}

/** Activities that only read. The summary is what operators see in the timeline. */
export function reads(summary: string) {
  return proxyActivities<Activities>({ ...readOptions, summary });
}

/** Activities that read page after page, or thing after thing. */
export function longReads(summary: string) {
  return proxyActivities<Activities>({ ...longReadOptions, summary });
}

/** Such that are not made again by themselves, since each time would be another wish. */
export function onceReads(summary: string) {
  return proxyActivities<Activities>({
    ...longReadOptions,
    retry: { maximumAttempts: 1 },
    summary,
  });
}

/** What holds the workflow task open while it lasts. */
export function holdTask(summary: string) {
  return proxyLocalActivities<Activities>({ startToCloseTimeout: callTimeoutMs, summary });
}

/** Activities that write, on the queue where writes are counted and limited. */
export function writes(summary: string) {
  const taskQueue = `${workflowInfo().taskQueue}-writes`;
  return proxyActivities<Activities>({ ...writeOptions, taskQueue, summary });
}

/**
 * Why a call ended without an answer. "Again" is all that may pass by itself: nobody listens, too
 * many requests, a worker that was lost.
 */
export type Stop = { type: FailureType | 'Again'; message: string; facts: FailureFacts };

/** The reason inside a failure, or undefined when it is none of a call. */
export function stopOf(error: unknown): Stop | undefined {
  if (isCancellation(error)) return undefined;
  const failure = error instanceof ActivityFailure ? error.cause : error;
  if (failure instanceof ApplicationFailure) {
    const { type, message } = failure;
    const isStop = type === 'Refused' || type === 'Unknown' || type === 'NeedsOperator';
    // What the workflow itself has thrown, and is no stop, ends it.
    if (!isStop && failure === error) return undefined;
    return { type: isStop ? type : 'Again', message, facts: factsOf(failure.details?.[0]) };
  }
  if (failure === error || !(failure instanceof Error)) return undefined;
  // Nothing came back: the worker was lost, and nobody knows how far it had got.
  const message = `the worker that did it was lost (${failure.message})`;
  return { type: 'Again', message, facts: { ambiguous: true } };
}

function factsOf(details: unknown): FailureFacts {
  if (typeof details !== 'object' || details === null) return { ambiguous: true };
  return {
    ambiguous: !('ambiguous' in details) || details.ambiguous === true,
    searchAttributes: 'searchAttributes' in details && details.searchAttributes === true,
    ...('afterMs' in details && typeof details.afterMs === 'number'
      ? { afterMs: details.afterMs }
      : {}),
  };
}
