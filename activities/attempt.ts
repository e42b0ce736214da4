import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { CustodyError, RefusedError } from '../src/custody/errors';
import { idempotencyKey, type KeyParts, refId } from '../src/custody/idempotencyKey';
import { outcomeOf } from './outcome';
import { type PayoutRun, refuseWhenEnded } from './payout/mayPay';
import { sendRefusal } from './sendRefusal';

/** Failure types that workflows tell apart. A call that fails with any other type is retried. */
export type FailureType = 'Refused' | 'Unknown' | 'NeedsOperator' | 'Ended';

/**
 * Facts that a failure carries beside its sentence. Small and free of secrets, since the history
 * keeps them.
 */
export type FailureFacts = {
  /** True when the service may have accepted an attempt. */
  ambiguous: boolean;
  code?: number;
  status?: number;
  /** Shortest delay before the next attempt. */
  afterMs?: number;
  /** From the guard: true when the namespace has our search attributes. */
  searchAttributes?: boolean;
};

/** `clean`: every attempt so far provably had no effect. */
export type Tries = 'clean' | 'ambiguous';

/** Identity of a write. Frozen before the first attempt, and the same in all of them. */
export type WriteIdentity = {
  parts: KeyParts;
  /** Earliest time of a first attempt under this key, in milliseconds since the epoch. */
  bornAtMs: number;
  /** State of the earlier attempts. */
  earlierTries: Tries;
  /** The service that the order was opened for. No other service may get this write. */
  baseUrl: string;
  /** After this moment, a write that was never sent is not sent. */
  validUntil?: string | undefined;
  /**
   * The run that asked for this attempt. After a reset, Temporal gives the attempt to another run.
   */
  runId?: string | undefined;
  /** The payout that this write is a line of. It is sent only while that payout runs. */
  payout?: PayoutRun | undefined;
};

export type WriteSettings = {
  baseUrl: string;
  /** Time for which the service is trusted to remember an idempotency key. */
  keyLifetimeMs: number;
};

/** Longest time until an accepted record can be read. */
const readLagMaxMs = 60_000;

/**
 * Makes one attempt at a read. A `fresh` read asks for a record that was accepted a moment ago and
 * may not show yet.
 */
export async function tryRead<T>(
  call: (signal: AbortSignal) => Promise<T>,
  options: { fresh?: boolean } = {},
): Promise<T> {
  const { info, cancellationSignal } = Context.current();
  try {
    return await call(cancellationSignal);
  } catch (error) {
    const young = options.fresh === true && Date.now() < info.scheduledTimestampMs + readLagMaxMs;
    throw failure(error, { write: false, tries: 'clean', attempt: info.attempt, young });
  }
}

/**
 * Makes one attempt at a write, the only one of its activity. The workflow counts the attempts. An
 * activity that ends without an answer, because its worker was killed, counts as ambiguous. An
 * ambiguous write is not sent again after the lifetime of its key.
 */
export async function tryWrite<T>(
  write: WriteIdentity,
  settings: WriteSettings,
  call: (identity: { key: string; refId: string; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  refuseOfOtherRun(write);
  refuseToSend(write, settings);
  if (write.payout !== undefined) await refuseWhenEnded(write.payout);
  try {
    return await call({
      key: idempotencyKey(write.parts),
      refId: refId(write.parts),
      signal: Context.current().cancellationSignal,
    });
  } catch (error) {
    const { effect } = outcomeOf(error, { write: true, attempt: 1 });
    const isClean = write.earlierTries === 'clean' && effect === 'none';
    throw failure(error, { write: true, tries: isClean ? 'clean' : 'ambiguous', attempt: 1 });
  }
}

/**
 * Refuses a call that an old run asked for before it was reset. The new run first looks up what the
 * old one sent.
 */
export function refuseOfOtherRun({ runId }: Pick<WriteIdentity, 'runId'>): void {
  if (runId === undefined || runId === Context.current().info.workflowExecution?.runId) return;
  throw ApplicationFailure.create({
    message: `Run ${runId} had asked for this, and was reset`,
    type: 'Reset',
    nonRetryable: true,
    details: [{ ambiguous: true } satisfies FailureFacts],
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** Refuses writes that must not be sent even though the workflow asks for them. */
function refuseToSend(write: WriteIdentity, settings: WriteSettings): void {
  const refusal = sendRefusal(write, { ...settings, nowMs: Date.now() });
  if (refusal !== undefined) throw stop(refusal.type, write.earlierTries, refusal.words);
}

/** Turns an upstream outcome into Temporal's: retry, retry after a delay, or stop. */
function failure(
  error: unknown,
  call: { write: boolean; tries: Tries; attempt: number; young?: boolean },
): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (!(error instanceof CustodyError)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const { next, afterMs, mend } = outcomeOf(error, call);
  const facts: FailureFacts = {
    ambiguous: call.tries === 'ambiguous',
    ...(error instanceof RefusedError ? { code: error.code, status: error.status } : {}),
    ...(afterMs === undefined ? {} : { afterMs }),
  };
  return ApplicationFailure.create({
    message: mend === undefined ? error.message : `${error.message.replace(/\.$/, '')}. ${mend}`,
    type: next === 'again' ? error.name : failureType(next, call),
    nonRetryable: next !== 'again',
    details: [facts],
    // A refusal is an answer and no fault of the worker. It needs no warning in the log.
    ...(next === 'stop' ? { category: ApplicationFailureCategory.BENIGN } : {}),
    ...(afterMs === undefined ? {} : { nextRetryDelay: afterMs }),
  });
}

function failureType(
  next: 'stop' | 'lookUp' | 'operator',
  call: { write: boolean; tries: Tries },
): FailureType {
  if (next === 'operator') return 'NeedsOperator';
  if (next === 'lookUp') return 'Unknown';
  // A refusal after an ambiguous attempt proves nothing: the first attempt may have caused it.
  return call.write && call.tries === 'ambiguous' ? 'Unknown' : 'Refused';
}

function stop(type: FailureType, tries: Tries, words: readonly string[]): ApplicationFailure {
  return ApplicationFailure.create({
    message: words.join(' '),
    type,
    nonRetryable: true,
    details: [{ ambiguous: tries === 'ambiguous' } satisfies FailureFacts],
    category: ApplicationFailureCategory.BENIGN,
  });
}
