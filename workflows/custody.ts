import { ApplicationFailure, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { FailureFacts, FailureType } from '../activities/attempt';

/** One HTTP call has a deadline of 10 s; what takes longer has lost its worker. */
const callTimeoutMs = 12_000;

/** Reads change nothing, so they are tried again quickly and without end. */
const readOptions = {
  startToCloseTimeout: callTimeoutMs,
  retry: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/**
 * Writes are tried again under the same key until the service answers: the outcome must be known.
 */
const writeOptions = {
  startToCloseTimeout: callTimeoutMs,
  // Attempts leave what they know to the next one as a heartbeat, which needs a time-out to exist.
  heartbeatTimeout: callTimeoutMs,
  retry: { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 30_000 },
};

/** The guard reads several things, one after another, and says meanwhile that it is alive. */
const guardOptions = {
  ...readOptions,
  startToCloseTimeout: 120_000,
  heartbeatTimeout: callTimeoutMs,
};

/** Activities that only read. The summary is what operators see in the timeline. */
export function reads(summary: string) {
  return proxyActivities<Activities>({ ...readOptions, summary });
}

/** Activities that write, on the queue where writes are counted and limited. */
export function writes(summary: string) {
  const taskQueue = `${workflowInfo().taskQueue}-writes`;
  return proxyActivities<Activities>({ ...writeOptions, taskQueue, summary });
}

/** A write that takes no key: one try, whatever comes of it. */
export function singleTry(summary: string) {
  const taskQueue = `${workflowInfo().taskQueue}-writes`;
  const retry = { maximumAttempts: 1 };
  return proxyActivities<Activities>({ ...writeOptions, taskQueue, retry, summary });
}

export function guard(summary: string) {
  return proxyActivities<Activities>({ ...guardOptions, summary });
}

/** Why a call ended without being tried again. */
export type Stop = { type: FailureType; message: string; facts: FailureFacts };

/** The reason inside an activity's failure, or undefined when it is none of ours. */
export function stopOf(error: unknown): Stop | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const failure = error instanceof ApplicationFailure ? error : cause;
  if (!(failure instanceof ApplicationFailure)) return undefined;
  const { type, message } = failure;
  if (type !== 'Refused' && type !== 'Unknown' && type !== 'NeedsOperator') return undefined;
  return { type, message, facts: factsOf(failure.details?.[0]) };
}

function factsOf(details: unknown): FailureFacts {
  if (typeof details !== 'object' || details === null) return { ambiguous: true };
  return {
    ambiguous: !('ambiguous' in details) || details.ambiguous === true,
    searchAttributes: 'searchAttributes' in details && details.searchAttributes === true,
  };
}
