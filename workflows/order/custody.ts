import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities';
import type { FailureFacts, FailureType } from '../../activities/attempt';

/** One HTTP call has a deadline of 10 s. A call that takes longer has lost its worker. */
const callTimeoutMs = 12_000;

/**
 * Reads change nothing, so they are retried quickly. After some ten seconds the workflow shows what
 * it waits for, and reads again.
 */
const readOptions = {
  startToCloseTimeout: callTimeoutMs,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumAttempts: 5 },
};

/** One attempt. The outcomes of all attempts decide if and when a write is retried. */
const writeOptions = { startToCloseTimeout: callTimeoutMs, retry: { maximumAttempts: 1 } };

/** A read of several things, one after another, that sends heartbeats. */
const longReadOptions = {
  ...readOptions,
  startToCloseTimeout: 600_000,
  heartbeatTimeout: callTimeoutMs,
};

/** Calls that change nothing but Temporal, and that must succeed however long it takes. */
const startOptions = {
  startToCloseTimeout: callTimeoutMs,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 60_000 },
};

/** Activities that start other workflows, which is safe to repeat. */
export function starts(summary: string) {
  return proxyActivities<Activities>({ ...startOptions, summary });
}

/** Activities that only read. Operators see the summary in the timeline. */
export function reads(summary: string) {
  return proxyActivities<Activities>({ ...readOptions, summary });
}

/** Activities that read page after page, or one thing after another. */
export function longReads(summary: string) {
  return proxyActivities<Activities>({ ...longReadOptions, summary });
}

/** Activities that hold the workflow task open while they run. */
export function holdTask(summary: string) {
  return proxyLocalActivities<Activities>({ startToCloseTimeout: callTimeoutMs, summary });
}

/** Activities that write, on the queue where writes are counted and limited. */
export function writes(summary: string) {
  const taskQueue = `${workflowInfo().taskQueue}-writes`;
  return proxyActivities<Activities>({ ...writeOptions, taskQueue, summary });
}

/**
 * Reason why a call ended without an answer. Only "Again" may pass on its own: nobody listens, too
 * many requests, or a lost worker.
 */
export type Stop = { type: FailureType | 'Again'; message: string; facts: FailureFacts };

const stops: readonly FailureType[] = ['Refused', 'Unknown', 'NeedsOperator', 'Ended'];

/** The reason inside a failure. Undefined if the failure is not a call's. */
export function stopOf(error: unknown): Stop | undefined {
  if (isCancellation(error)) return undefined;
  const failure = error instanceof ActivityFailure ? error.cause : error;
  if (failure instanceof ApplicationFailure) {
    const { message } = failure;
    const type = stops.find((stop) => stop === failure.type);
    // An error that the workflow itself threw, and that is no stop, ends the workflow.
    if (type === undefined && failure === error) return undefined;
    return { type: type ?? 'Again', message, facts: factsOf(failure.details?.[0]) };
  }
  if (failure === error || !(failure instanceof Error)) return undefined;
  // Nothing came back: the worker was lost, at a point that nobody knows.
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
