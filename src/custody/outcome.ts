import {
  NoAnswerError,
  NotSentError,
  noRoomCode,
  RefusedError,
  UnexpectedAnswerError,
  WithheldError,
} from './errors';

/** Outcome of one attempt at a call. */
export type Outcome = {
  /** `unknown`: the attempt may have changed something at the service. */
  effect: 'none' | 'unknown';
  /**
   * again: retry later, a write by its workflow. stop: never accepted. lookUp, operator: a retry
   * does not help.
   */
  next: 'again' | 'stop' | 'lookUp' | 'operator';
  /** Shortest delay before the retry. Without it the backoff decides. */
  afterMs?: number | undefined;
  /** A sentence that tells an operator what to do. */
  mend?: string;
};

export type AttemptedCall = {
  write: boolean;
  /** 1 for the first attempt. */
  attempt: number;
  /** True while the record may not show yet, since it was accepted a moment ago. */
  young?: boolean;
};

type Row = {
  what: string;
  when: (error: unknown, call: AttemptedCall) => boolean;
  outcome: Outcome;
};

const walletBusyCodes = [155264, 155505, 177026, 177303];
const ciphertextUsedCodes = [156004, 177602];
/** Codes for a ciphertext that was made for another key or secret. */
export const secretInvalidCodes: readonly number[] = [156013, 177604];
const keyRefusedCodes = [156020, 175403, 177607];
/** Final like any refusal. 155501 comes with status 409, whose row stands below theirs. */
const walletFrozenCodes = [155501, 177301];

const again: Outcome = { effect: 'none', next: 'again' };
const againLater: Outcome = { ...again, afterMs: 2_000 };
const ambiguous: Outcome = { effect: 'unknown', next: 'again' };
const lookUp: Outcome = { effect: 'unknown', next: 'lookUp' };
const stop: Outcome = { effect: 'none', next: 'stop' };
/** It comes with the status of a key that is not accepted. */
const noRoom: Outcome = {
  ...stop,
  mend:
    'The account has no room for another wallet set, or the set for another wallet. None can be ' +
    'deleted: use those that are there, or ask the service for more room.',
};
const mendSecret = operator(
  'Start the workers with the entity secret that the service knows (CUSTODY_ENTITY_SECRET).',
);
const mendKey = operator(
  'Start the workers with a key that the service accepts (CUSTODY_API_KEY).',
);
const mendService = operator(
  'Check what answers at CUSTODY_BASE_URL, and every proxy before it. ' +
    'A newer service may need a newer version of the workers.',
);

/** A person has to mend something before a retry helps. */
function operator(mend: string): Outcome {
  return { effect: 'none', next: 'operator', mend };
}

/**
 * The outcome of a failed attempt, by the first row that fits: the service's code, then the HTTP
 * status, then the type of error. docs/reference/errors.md tells them. attempt.ts knows the earlier
 * attempts, which decide if a stop is final for a write.
 */
const rows: readonly Row[] = [
  { what: 'nothing was sent', when: isA(NotSentError), outcome: again },
  { what: 'sent, no answer', when: isA(NoAnswerError), outcome: ambiguous },
  { what: 'the wallet is busy', when: hasCode(walletBusyCodes), outcome: againLater },
  // The ciphertext was fresh, so an earlier copy of this request has arrived.
  {
    what: 'the ciphertext was used before',
    when: hasCode(ciphertextUsedCodes),
    outcome: ambiguous,
  },
  { what: 'the entity secret is invalid', when: hasCode(secretInvalidCodes), outcome: mendSecret },
  { what: 'the idempotency key is taken', when: hasCode(keyRefusedCodes), outcome: lookUp },
  { what: 'there is no room for it', when: hasCode([noRoomCode]), outcome: noRoom },
  { what: 'the wallet is frozen', when: hasCode(walletFrozenCodes), outcome: stop },
  { what: 'too many requests', when: hasStatus(429), outcome: again },
  {
    what: 'the API key is not accepted',
    when: (error) => error instanceof RefusedError && [401, 403].includes(error.status),
    outcome: mendKey,
  },
  {
    what: 'not found, a moment after it was accepted',
    when: (error, call) => !call.write && call.young === true && hasStatus(404)(error),
    outcome: again,
  },
  {
    what: 'a read whose answer is not the interface, twice',
    when: (error, call) => !call.write && call.attempt > 1 && isUnparsable(error),
    outcome: mendService,
  },
  {
    what: 'the service or something before it is in trouble',
    when: (error) => hasStatus(408, 409, 425)(error) || isServerFault(error),
    outcome: ambiguous,
  },
  { what: 'not the interface', when: isA(UnexpectedAnswerError), outcome: ambiguous },
  { what: 'any other refusal', when: isA(RefusedError), outcome: stop },
];

/**
 * Finds the outcome of a failed attempt. An error that is no CustodyError is our own fault: effect
 * unknown, retry. A retry waits as long as the service says.
 */
export function outcomeOf(error: unknown, call: AttemptedCall): Outcome {
  // The policy of the writer held it back, and says itself what comes next.
  if (error instanceof WithheldError) {
    return { effect: 'none', next: error.next, afterMs: error.afterMs };
  }
  const outcome = rows.find((row) => row.when(error, call))?.outcome ?? ambiguous;
  return outcome.next === 'again' ? { afterMs: retryAfterMs(error), ...outcome } : outcome;
}

function isA(type: abstract new (...given: never[]) => Error): (error: unknown) => boolean {
  return (error) => error instanceof type;
}

function hasCode(codes: readonly number[]): (error: unknown) => boolean {
  return (error) => error instanceof RefusedError && codes.includes(error.code);
}

function hasStatus(...statuses: readonly number[]): (error: unknown) => boolean {
  return (error) => statuses.includes(statusOf(error));
}

function isServerFault(error: unknown): boolean {
  const status = statusOf(error);
  return status >= 500 || (status >= 300 && status < 400);
}

function isUnparsable(error: unknown): boolean {
  const status = statusOf(error);
  return error instanceof UnexpectedAnswerError && status >= 200 && status < 300;
}

function statusOf(error: unknown): number {
  return error instanceof RefusedError || error instanceof UnexpectedAnswerError ? error.status : 0;
}

function retryAfterMs(error: unknown): number | undefined {
  return error instanceof RefusedError || error instanceof UnexpectedAnswerError
    ? error.retryAfterMs
    : undefined;
}
