import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { CustodyError, RefusedError } from '../src/custody/errors';
import { idempotencyKey, type KeyParts, refId } from '../src/custody/idempotencyKey';
import { outcomeOf } from './outcome';

/** The types of failure that workflows tell apart; after every other one the call is made again. */
export type FailureType = 'Refused' | 'Unknown' | 'NeedsOperator';

/** What a failure says besides its sentence. Small and free of secrets: the history keeps it. */
export type FailureFacts = {
  /** True when some try may have been taken by the service. */
  ambiguous: boolean;
  code?: number;
  status?: number;
  /** Not to be tried again before this long. */
  afterMs?: number;
  /** From the guard: whether the namespace has our search attributes. */
  searchAttributes?: boolean;
};

/** Whether all tries so far are known to have had no effect. */
export type Tries = 'clean' | 'ambiguous';

/** Who a write is, frozen before its first try and the same through all of them. */
export type WriteIdentity = {
  parts: KeyParts;
  /** When a first try under this key can have been made; milliseconds since the epoch. */
  bornAtMs: number;
  /** What is known of the tries before this one. */
  earlierTries: Tries;
  /** The service that the order was opened for; no other one may get this write. */
  baseUrl: string;
  /** Past this moment nothing is sent that was never sent before. */
  validUntil?: string | undefined;
  /** The run that asked for this very try; after a reset, Temporal gives it to another one. */
  runId?: string | undefined;
};

export type WriteSettings = {
  baseUrl: string;
  /** How long the service is trusted to remember an idempotency key. */
  keyLifetimeMs: number;
};

/** How long a record may take to show after the service has accepted it. */
const readLagMaxMs = 60_000;

/** One try at reading. `fresh` reads are of what was just accepted, and may come too soon. */
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
 * One try at a write, and the only one of its activity: what is known of all tries is kept by the
 * workflow, and an activity that ends without a word, as when its worker was killed, has left an
 * ambiguous one. Past the lifetime of its key an ambiguous write is not sent again.
 */
export async function tryWrite<T>(
  write: WriteIdentity,
  settings: WriteSettings,
  call: (identity: { key: string; refId: string; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  refuseOfOtherRun(write);
  refuseToSend(write, settings);
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
 * What was under way when its run was reset is not made for the new one: what the old run has sent
 * meanwhile is looked for first.
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

/** What must not be sent, although the workflow asks for it. */
function refuseToSend(write: WriteIdentity, settings: WriteSettings): void {
  const { earlierTries: tries } = write;
  const { step } = write.parts;
  if (write.baseUrl !== settings.baseUrl) {
    throw stop('NeedsOperator', tries, [
      `This order was opened for ${write.baseUrl}, but this worker drives ${settings.baseUrl}.`,
      `The ${step} is not sent. Set CUSTODY_BASE_URL back until such orders are done.`,
    ]);
  }
  const late = write.validUntil !== undefined && Date.now() > Date.parse(write.validUntil);
  if (late && tries === 'clean') {
    throw stop('Refused', tries, [
      `validUntil: ${write.validUntil} has passed, so the ${step} is not sent.`,
    ]);
  }
  if (tries === 'clean') return;
  if (late) {
    throw stop('Unknown', tries, [
      `The ${step} may have been sent before, and validUntil (${write.validUntil}) has passed.`,
      'It is not sent again.',
    ]);
  }
  if (Date.now() > write.bornAtMs + settings.keyLifetimeMs) {
    throw stop('Unknown', tries, [
      `The ${step} may have been sent under a key from ${new Date(write.bornAtMs).toISOString()},`,
      `older than CUSTODY_KEY_LIFETIME_HOURS (${settings.keyLifetimeMs / 3_600_000}).`,
      'The service may have forgotten the key, so it is not sent again.',
    ]);
  }
}

/** The one place where an upstream outcome becomes Temporal's: again, after how long, or stop. */
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
    // A refusal is an answer, not a fault of the worker: it needs no warning in its log.
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
  // A refusal after an ambiguous try proves nothing: the first one may be why this one is refused.
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
