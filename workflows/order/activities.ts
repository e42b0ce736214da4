import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities';
import type { FailureFacts, FailureType } from '../../activities/failure';

/** One HTTP call has a deadline of 10 s. A call that takes longer has lost its worker. */
const startToCloseTimeout = 12_000;
/** Many calls, each of which beats. */
const unhurried = { startToCloseTimeout: 600_000, heartbeatTimeout: startToCloseTimeout };

/**
 * Reads change nothing, so they are retried quickly. After some ten seconds the workflow shows what
 * it waits for, and reads again.
 */
const quickly = { initialInterval: 500, backoffCoefficient: 2 };
const retry = { ...quickly, maximumAttempts: 5 };
/** For calls that are safe to repeat however long it takes. */
const untilDone = { ...quickly, maximumInterval: 60_000 };

/** Activities that only read. Operators see the summary in the timeline. */
export function reads(summary: string) {
  return proxyActivities<Activities>({ startToCloseTimeout, retry, summary });
}

/** Activities that read page after page, or one thing after another. They send heartbeats. */
export function longReads(summary: string) {
  return proxyActivities<Activities>({ ...unhurried, retry, summary });
}

/** Reads for a person who looks at a page. The next look asks again, so a failure is told at once. */
export function readsOnce(summary: string) {
  return proxyActivities<Activities>({ ...unhurried, retry: { maximumAttempts: 1 }, summary });
}

/** Activities that start or cancel workflows, which is safe to repeat however long it takes. */
export function starts(summary: string) {
  return proxyActivities<Activities>({ startToCloseTimeout, retry: untilDone, summary });
}

/** The same for one that reads the chain first, which takes some fifty calls of its node. */
export function startsByChain(summary: string) {
  return proxyActivities<Activities>({ startToCloseTimeout: 60_000, retry: untilDone, summary });
}

/**
 * The reconciliation of a day. It only reads, so it is repeated as long as node, service or archive
 * are away, for a day at most.
 */
export function closes(summary: string) {
  return proxyActivities<Activities>({
    scheduleToCloseTimeout: 86_400_000,
    heartbeatTimeout: 30_000,
    retry: { ...quickly, maximumInterval: 300_000 },
    summary,
  });
}

/** A receiver that is away for longer than this is not told, unless somebody sends it again. */
const tellingMs = 7 * 86_400_000;

/** Messages to the receiver of ends, on a queue of their own. Temporal repeats them for days. */
export function tells(summary: string) {
  return proxyActivities<Activities>({
    taskQueue: `${workflowInfo().taskQueue}-answers`,
    scheduleToCloseTimeout: tellingMs,
    // Hundreds of messages to a slow receiver. One message takes half of a beat at most.
    startToCloseTimeout: 7_200_000,
    heartbeatTimeout: 40_000,
    // The activity itself says when to try again. This is for a try that ends with its worker.
    retry: { initialInterval: 5_000, backoffCoefficient: 1 },
    summary,
  });
}

/** Activities that hold the workflow task open while they run. */
export function holdTask(summary: string) {
  return proxyLocalActivities<Activities>({ startToCloseTimeout, summary });
}

/**
 * One attempt at a write, on the queue where writes are counted and limited. The outcomes of all
 * attempts decide if and when a write is retried.
 */
export function sends(summary: string) {
  return onceAtWriter({ startToCloseTimeout, summary });
}

/** The same for several writes in one activity, which asks first if it may make all of them. */
export function sendsTogether(summary: string) {
  return onceAtWriter({ startToCloseTimeout: startToCloseTimeout + 2_000, summary });
}

/** Activities that tell what only a writer knows. Nothing depends on them, so nobody waits long. */
export function asksWriter(summary: string) {
  return onceAtWriter({ scheduleToCloseTimeout: startToCloseTimeout, summary });
}

/** Activities that a writer has to do at some time, however long none is there. They move nothing. */
export function handsToWriter(summary: string) {
  const taskQueue = `${workflowInfo().taskQueue}-writes`;
  return proxyActivities<Activities>({ startToCloseTimeout, taskQueue, retry: untilDone, summary });
}

function onceAtWriter(options: ActivityOptions) {
  const taskQueue = `${workflowInfo().taskQueue}-writes`;
  const retry = { maximumAttempts: 1 };
  return proxyActivities<Activities>({ ...options, taskQueue, retry });
}

/**
 * Reason why a call ended without an answer. "Again" may pass on its own: nobody listens, too many
 * requests, or a lost worker. So does "Outdated", with another look-up.
 */
export type Stop = { type: FailureType | 'Again'; message: string; facts: FailureFacts };

/** No refused read ends what may have moved money: somebody has to mend it. */
export function unread(stop: Stop): Stop {
  return stop.type === 'Again' ? stop : { ...stop, type: 'NeedsOperator' };
}

/** A refusal of an update, as its caller sees it. */
export function refusal(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'Refused');
}

/** Asks once, for a person who can ask again. A call without an answer is a refusal to that person. */
export async function askOnce<T>(ask: () => Promise<T>, lead = ''): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const stop = stopOf(error);
    throw stop === undefined ? error : refusal(`${lead}${stop.message}`);
  }
}

/** A failure as a call has told it: its type, its sentence and its facts. */
type Told = { type?: string | null | undefined; message: string; details: unknown };

const stops: readonly FailureType[] = ['Refused', 'Unknown', 'NeedsOperator', 'Ended', 'Outdated'];

/** The reason inside a failure. Undefined if the failure is not a call's. */
export function stopOf(error: unknown): Stop | undefined {
  if (isCancellation(error)) return undefined;
  const failure = error instanceof ActivityFailure ? error.cause : error;
  if (failure instanceof ApplicationFailure) {
    const { type, message, details } = failure;
    const stop = stopIn({ type, message, details: details?.[0] });
    // An error that the workflow itself threw, and that is no stop, ends the workflow.
    return stop.type === 'Again' && failure === error ? undefined : stop;
  }
  if (failure === error || !(failure instanceof Error)) return undefined;
  // Nothing came back: the worker was lost, at a point that nobody knows.
  const message = `the worker that did it was lost (${failure.message})`;
  return { type: 'Again', message, facts: { ambiguous: true } };
}

/** The failure that an activity itself has thrown. Undefined for any other error. */
export function thrownBy(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? cause : undefined;
}

/** The reason that a call's own failure tells. */
export function stopIn({ type, message, details }: Told): Stop {
  const known = stops.find((stop) => stop === type);
  return { type: known ?? 'Again', message, facts: factsOf(details) };
}

/** The facts in a failure. A failure that tells nothing may hide anything. */
function factsOf(details: unknown): FailureFacts {
  const facts: Partial<FailureFacts> = typeof details === 'object' ? (details ?? {}) : {};
  return { ...facts, ambiguous: facts.ambiguous !== false };
}
