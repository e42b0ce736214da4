import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { SentenceError } from '../orders/input/sentenceError';
import type { OrderKind, Receipt } from '../orders/kinds';
import type { StartedOrder } from './temporal/startOnce';
import { awaited, type Waiting } from './waiting/waiting';

/** A started order: a new run, a run that was under way, or one that had completed before. */
export type Started<Kind extends OrderKind> = StartedOrder & {
  /**
   * Waits for the receipt. Throws an OrderError when the order ends without one. Throws a
   * StillRunningError when `timeoutMs` is up, and within seconds where no worker takes it up.
   */
  receipt(waiting?: Waiting): Promise<Receipt<Kind>>;
};

/** Adds to the outcome of a start the means to wait for its receipt. */
export function withReceipt<Kind extends OrderKind>(
  handle: WorkflowHandle,
  { runId, outcome }: Pick<StartedOrder, 'runId' | 'outcome'>,
): Started<Kind> {
  const { workflowId } = handle;
  const receipt = (waiting: Waiting = {}): Promise<Receipt<Kind>> =>
    awaited(handle, () => resultOf(handle), waiting);
  return { workflowId, runId, outcome, receipt };
}

/** Waits for the result of a workflow. Throws an OrderError when it ends without one. */
export async function resultOf<Result>(handle: WorkflowHandle): Promise<Result> {
  try {
    return await handle.result();
  } catch (error) {
    throw orderError(handle.workflowId, error);
  }
}

type Facts = {
  /**
   * refused: the service accepted nothing. failed: see the record. cancelled, terminated: somebody
   * stopped it.
   */
  outcome: 'refused' | 'failed' | 'cancelled' | 'terminated';
  /** The final record of a failed transaction or contract. */
  record?: unknown;
  /** The results of earlier steps: wallets, a contract, hashes. */
  made?: unknown;
};

/** An order ended without a receipt. Its facts are getters, so that Node does not print them. */
export class OrderError extends SentenceError {
  override readonly name = 'OrderError';
  readonly #facts: Facts;

  constructor(message: string, facts: Facts) {
    super(message);
    this.#facts = facts;
  }

  get outcome(): Facts['outcome'] {
    return this.#facts.outcome;
  }

  get record(): unknown {
    return this.#facts.record;
  }

  get made(): unknown {
    return this.#facts.made;
  }
}

/** Turns the failure of a workflow into an OrderError. Any other error is returned as it is. */
export function orderError(workflowId: string, error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError)) return error;
  const { cause } = error;
  if (cause instanceof CancelledFailure) {
    return new OrderError(`${workflowId} was cancelled.`, { outcome: 'cancelled' });
  }
  if (cause instanceof TerminatedFailure || cause instanceof TimeoutFailure) {
    const message =
      `${workflowId} was ended from outside. What it had sent may still settle: ` +
      'start it again under the same id to find out.';
    return new OrderError(message, { outcome: 'terminated' });
  }
  if (!(cause instanceof ApplicationFailure)) return error;
  const outcome = cause.type === 'Refused' ? 'refused' : 'failed';
  return new OrderError(cause.message, { outcome, ...factsOf(cause.details?.[0]) });
}

function factsOf(details: unknown): { record?: unknown; made?: unknown } {
  if (typeof details !== 'object' || details === null) return {};
  return {
    ...('record' in details ? { record: details.record } : {}),
    ...('made' in details ? { made: details.made } : {}),
  };
}
