import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { CallOptions, EndpointName, Input } from '../src/custody/endpoints';
import { CustodyError, RefusedError, WithheldError } from '../src/custody/errors';
import { idempotencyKey, type KeyParts } from '../src/custody/idempotencyKey';
import type { Grounds } from '../src/custody/objects/grounds';
import { outcomeOf } from '../src/custody/outcome';
import { refId } from '../src/custody/reference';
import type { Authority } from '../src/orders/input/signed';
import { type FailureFacts, type FailureType, stop } from './failure';
import { type PayoutRun, refuseWhenEnded } from './mayPay';
import { queueWaitMs, roughQueueWaitMs } from './ownRun';
import { outdatedWords, sendRefusal } from './sendRefusal';

/** `clean`: every attempt so far provably had no effect. */
export type Tries = 'clean' | 'ambiguous';

/** Identity of a write. Frozen before the first attempt, and the same in all of them. */
export type WriteIdentity = {
  parts: KeyParts;
  /** Earliest time of a first attempt under this key, in milliseconds since the epoch. */
  bornAtMs: number;
  /** State of the earlier attempts. */
  earlierTries: Tries;
  /**
   * The age of the look-up that lets it be sent, when the attempt was asked for. Undefined: none is
   * needed.
   */
  lookedUpAgoMs?: number | undefined;
  /** The service that the order was opened for. No other service may get this write. */
  baseUrl: string;
  /** After this moment, a write that was never sent is not sent. */
  validUntil?: string | undefined;
  /**
   * The run that asked for this attempt. After a reset, Temporal gives the attempt to another run.
   */
  runId?: string | undefined;
  /** The signatures that the order carries. Only the process that signs verifies them. */
  authority?: Authority | undefined;
  /** The payout that this write is a line of. It is sent only while that payout runs. */
  payout?: PayoutRun | undefined;
};

/** A write as its activity gets it. Its whole request is frozen before the first attempt. */
export type WriteOf<Name extends EndpointName> = WriteIdentity & {
  input: Omit<Input<Name>, 'idempotencyKey' | 'refId'>;
};

/** The key of a write that was sent, and the grounds on which a policy has let it out. */
export type Sent = { key: string; grounds?: Grounds };

export type WriteSettings = {
  baseUrl: string;
  /** For how long this worker has run. */
  uptimeMs: () => number;
  /** Time within which a write that was sent shows in the service's list. */
  lookupGraceMs: number;
  /** Time for which the service is trusted to remember an idempotency key. */
  keyLifetimeMs: number;
  /** Resolves when the service is ready for one more write of this worker. */
  turn?: (() => Promise<void>) | undefined;
  /** The limit of writes that this worker asks Temporal to keep. Undefined is none. */
  writesPerSecond?: number | undefined;
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
 * Makes one attempt at a read of what may not exist. Returns undefined if the service refuses it
 * with the status that says so.
 */
export async function tryFind<T>(
  absent: 400 | 404,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return tryRead(async (signal) => {
    try {
      return await call(signal);
    } catch (error) {
      if (error instanceof RefusedError && error.status === absent) return undefined;
      throw error;
    }
  });
}

/**
 * Makes one attempt at a write, the only one of its activity. The workflow counts the attempts. An
 * activity that ends without an answer, because its worker was killed, counts as ambiguous. An
 * ambiguous write is not sent again after the lifetime of its key. Returns its answer with the key.
 */
export async function tryWrite<T>(
  write: WriteIdentity,
  settings: WriteSettings,
  call: (own: { idempotencyKey: string; refId: string }, options: CallOptions) => Promise<T>,
): Promise<T & Sent> {
  const { parts, earlierTries } = write;
  refuseOfOtherRun(write);
  await refuseOutdated(write, settings);
  await settings.turn?.();
  const refusal = sendRefusal(write, { ...settings, nowMs: Date.now() });
  if (refusal !== undefined) {
    throw stop(refusal.type, refusal.words.join(' '), { ambiguous: earlierTries === 'ambiguous' });
  }
  if (write.payout !== undefined) await refuseWhenEnded(write.payout);
  try {
    const own = { idempotencyKey: idempotencyKey(parts), refId: refId(parts) };
    const { authority } = write;
    const { cancellationSignal: signal } = Context.current();
    let grounds: Grounds | undefined;
    const onLetOut = (found: Grounds): void => {
      grounds = found;
    };
    const answer = await call(own, { signal, parts, authority, onLetOut });
    return { ...answer, key: own.idempotencyKey, ...(grounds && { grounds }) };
  } catch (error) {
    const { effect } = outcomeOf(error, { write: true, attempt: 1 });
    const isClean = earlierTries === 'clean' && effect === 'none';
    throw failure(error, { write: true, tries: isClean ? 'clean' : 'ambiguous', attempt: 1 });
  }
}

/** Refuses a call whose look-up is older than this worker. Temporal is asked only where it may be. */
async function refuseOutdated(write: WriteIdentity, settings: WriteSettings): Promise<void> {
  const { lookupGraceMs } = settings;
  const uptimeMs = settings.uptimeMs();
  const rough = { uptimeMs, queuedMs: roughQueueWaitMs(), lookupGraceMs: 0 };
  if (outdatedWords(write, rough) === undefined) return;
  const words = outdatedWords(write, { uptimeMs, queuedMs: await queueWaitMs(), lookupGraceMs });
  if (words === undefined) return;
  throw stop('Outdated', words, { ambiguous: write.earlierTries === 'ambiguous' });
}

/**
 * Refuses a call that an old run asked for before it was reset. The new run first looks up what the
 * old one sent.
 */
export function refuseOfOtherRun({ runId }: Pick<WriteIdentity, 'runId'>): void {
  if (runId === undefined || runId === Context.current().info.workflowExecution?.runId) return;
  throw stop('Reset', `Run ${runId} had asked for this, and was reset`);
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
    ...(error instanceof WithheldError && error.approval !== undefined
      ? { approval: error.approval }
      : {}),
    ...(error instanceof WithheldError && error.apart.length > 0 ? { apart: error.apart } : {}),
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
