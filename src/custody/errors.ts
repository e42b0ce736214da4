import type { ApprovalWanted } from './objects/approval';

/**
 * Base of what a call to the service can end in. Each class says what is known, so one can decide.
 */
export abstract class CustodyError extends Error {
  abstract override readonly name: string;
  /** The id by which the service knows the call. Undefined when no call was made. */
  readonly requestId: string | undefined;

  constructor(message: string, { requestId, ...options }: CallFacts = {}) {
    super(message, options);
    this.requestId = requestId;
  }
}

type CallFacts = { cause?: unknown; requestId?: string | undefined };
type AnswerFacts = CallFacts & { status: number; retryAfterMs?: number | undefined };

/** Nothing left this machine: no connection, no address. Safe to send again. */
export class NotSentError extends CustodyError {
  override readonly name = 'NotSentError';
}

/** The writer held the call back, by its policy or for another key. Nothing was sent. */
export class WithheldError extends CustodyError {
  override readonly name = 'WithheldError';
  /** stop: refused. again: retry later. lookUp: only a look-up tells. operator: people decide. */
  readonly next: 'stop' | 'again' | 'lookUp' | 'operator';
  readonly afterMs: number | undefined;
  /** The question to people, where that is what holds it back. */
  readonly approval: ApprovalWanted | undefined;
  /** The places of the payments of a batch that are the reason. The others may be sent. */
  readonly apart: readonly number[];

  constructor(
    message: string,
    facts: Pick<WithheldError, 'next'> & {
      afterMs?: number;
      approval?: ApprovalWanted;
      apart?: readonly number[];
      cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.next = facts.next;
    this.afterMs = facts.afterMs;
    this.approval = facts.approval;
    this.apart = facts.apart ?? [];
  }
}

/** The call was sent and no answer came. The service may have accepted it. */
export class NoAnswerError extends CustodyError {
  override readonly name = 'NoAnswerError';
}

/** The service's code where an account has no room for another wallet set, or a set for a wallet. */
export const noRoomCode = 155502;

/** The service answered with an error in its own form, `{code, message}`. */
export class RefusedError extends CustodyError {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** The service's code, or the status when it has no code of its own. */
  readonly code: number;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: AnswerFacts & { code: number }) {
    super(message, { requestId: facts.requestId });
    this.status = facts.status;
    this.code = facts.code;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** For `catch`: undefined where the service has nothing of that name. Any other error is thrown. */
export function orAbsent(error: unknown): undefined {
  if (error instanceof RefusedError && [400, 404].includes(error.status)) return undefined;
  throw error;
}

/** An answer that is not the interface: a proxy's page, a broken body, a field that is missing. */
export class UnexpectedAnswerError extends CustodyError {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: AnswerFacts) {
    super(message, { requestId: facts.requestId });
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
