import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { CustodyError, RefusedError } from '../src/custody/errors';
import { idempotencyKey, type KeyParts, refId } from '../src/custody/idempotencyKey';
import { outcomeOf } from './outcome';

/** The types of failure that workflows tell apart; every other failure is retried by Temporal. */
export type FailureType = 'Refused' | 'Unknown' | 'NeedsOperator';

/**
 * What a failure says besides its sentence. Small and free of secrets: it is kept in the history.
 */
export type FailureFacts = {
  /** True when some try may have been taken by the service. */
  ambiguous: boolean;
  code?: number;
  status?: number;
  /** From the guard: whether the namespace has our search attributes. */
  searchAttributes?: boolean;
};

/** Who a write is, the same through all its tries. */
export type WriteIdentity = {
  parts: KeyParts;
  /** When a first try under this key can have been made; milliseconds since the epoch. */
  bornAtMs: number;
  /** Whether tries before this activity, if any, are all known to have had no effect. */
  earlierTries: 'clean' | 'ambiguous';
};

/** Kept through the attempts of one activity: all of them up to this one had no effect. */
type CleanThrough = { cleanThrough: number };

/** How long a record may take to show after the service has accepted it. */
const readLagMaxMs = 60_000;

/**
 * One try at reading. `fresh` reads are of what was accepted a moment ago, and may come too soon.
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
    throw failure(error, { write: false, ambiguous: false, attempt: info.attempt, young });
  }
}

/**
 * One try at a write. Every attempt after the first is ambiguous, unless each earlier one is known
 * to have had no effect: that knowledge is carried from attempt to attempt as a heartbeat, and is
 * missing when a worker died. Past the lifetime of its key an ambiguous write is not sent again.
 */
export async function tryWrite<T>(
  write: WriteIdentity & { keyLifetimeMs: number },
  call: (identity: { key: string; refId: string; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const { attempt } = context.info;
  const clean = write.earlierTries === 'clean' && attemptsBefore(context) === 'clean';
  if (!clean && Date.now() > write.bornAtMs + write.keyLifetimeMs) throw keyTooOld(write);
  try {
    return await call({
      key: idempotencyKey(write.parts),
      refId: refId(write.parts),
      signal: context.cancellationSignal,
    });
  } catch (error) {
    const { effect } = outcomeOf(error, { write: true, attempt });
    const stillClean = clean && effect === 'none';
    if (stillClean) context.heartbeat({ cleanThrough: attempt } satisfies CleanThrough);
    throw failure(error, { write: true, ambiguous: !stillClean, attempt });
  }
}

function attemptsBefore({ info }: Context): 'clean' | 'ambiguous' {
  if (info.attempt === 1) return 'clean';
  const known: unknown = info.heartbeatDetails;
  const through =
    typeof known === 'object' && known !== null && 'cleanThrough' in known ? known.cleanThrough : 0;
  return through === info.attempt - 1 ? 'clean' : 'ambiguous';
}

/** The one place where an upstream outcome becomes Temporal's: again, after how long, or stop. */
function failure(
  error: unknown,
  call: { write: boolean; ambiguous: boolean; attempt: number; young?: boolean },
): Error {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (!(error instanceof CustodyError)) return error instanceof Error ? error : new Error('Thrown');
  const { next, afterMs } = outcomeOf(error, call);
  const facts: FailureFacts = {
    ambiguous: call.ambiguous,
    ...(error instanceof RefusedError ? { code: error.code, status: error.status } : {}),
  };
  return ApplicationFailure.create({
    message: error.message,
    type: next === 'again' ? error.name : failureType(next, call),
    nonRetryable: next !== 'again',
    details: [facts],
    // A refusal is an answer, not a fault of the worker: it needs no warning in its log.
    ...(next === 'stop' ? { category: ApplicationFailureCategory.BENIGN } : {}),
    ...(afterMs === undefined ? {} : { nextRetryDelay: afterMs }),
  });
}

function failureType(
  next: 'stop' | 'lookUp' | 'operator',
  call: { write: boolean; ambiguous: boolean },
): FailureType {
  if (next === 'operator') return 'NeedsOperator';
  if (next === 'lookUp') return 'Unknown';
  // A refusal after an ambiguous try proves nothing: the first one may be why this one is refused.
  return call.write && call.ambiguous ? 'Unknown' : 'Refused';
}

function keyTooOld(write: WriteIdentity & { keyLifetimeMs: number }): ApplicationFailure {
  const hours = write.keyLifetimeMs / 3_600_000;
  return ApplicationFailure.create({
    message:
      `The ${write.parts.step} may have been sent under a key from ` +
      `${new Date(write.bornAtMs).toISOString()}, older than CUSTODY_KEY_LIFETIME_HOURS ` +
      `(${hours}). The service may have forgotten the key, so it is not sent again.`,
    type: 'Unknown' satisfies FailureType,
    nonRetryable: true,
    details: [{ ambiguous: true } satisfies FailureFacts],
  });
}
