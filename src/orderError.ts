import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowFailedError,
} from '@temporalio/client';

/** An order that ended without a receipt. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
  /**
   * refused: nothing was taken. failed: see the record. cancelled, terminated: stopped by someone.
   */
  readonly outcome: 'refused' | 'failed' | 'cancelled' | 'terminated';
  /** The final record of a failed transaction or contract. */
  readonly record: unknown;
  /** What earlier steps made: wallets, a contract, hashes. */
  readonly made: unknown;

  constructor(
    message: string,
    facts: { outcome: OrderError['outcome']; record?: unknown; made?: unknown; cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.outcome = facts.outcome;
    this.record = facts.record;
    this.made = facts.made;
  }
}

/** The failure of a workflow in our words; any other error is returned as it is. */
export function orderError(workflowId: string, error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError)) return error;
  const { cause } = error;
  if (cause instanceof CancelledFailure) {
    return new OrderError(`${workflowId} was cancelled.`, { outcome: 'cancelled', cause });
  }
  if (cause instanceof TerminatedFailure || cause instanceof TimeoutFailure) {
    const message =
      `${workflowId} was ended from outside. What it had sent may still settle: ` +
      'start it again under the same id to find out.';
    return new OrderError(message, { outcome: 'terminated', cause });
  }
  if (!(cause instanceof ApplicationFailure)) return error;
  const outcome = cause.type === 'Refused' ? 'refused' : 'failed';
  return new OrderError(cause.message, { outcome, ...factsOf(cause.details?.[0]), cause });
}

function factsOf(details: unknown): { record?: unknown; made?: unknown } {
  if (typeof details !== 'object' || details === null) return {};
  return {
    ...('record' in details ? { record: details.record } : {}),
    ...('made' in details ? { made: details.made } : {}),
  };
}
