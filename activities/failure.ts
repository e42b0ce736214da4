import { ApplicationFailure } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { ApprovalWanted } from '../src/custody/objects/approval';
import { BadOrderError } from '../src/orders/input/read';

/** Failure types that workflows tell apart. A call that fails with any other type is retried. */
export type FailureType = 'Refused' | 'Unknown' | 'NeedsOperator' | 'Ended' | 'Outdated';

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
  /** True if what cannot be read is the record of one write, and the service tells others. */
  ofRecord?: true;
  /** The question to people, where their approval is missing. */
  approval?: ApprovalWanted;
  /** The places of the payments of a batch that are the reason. The others may be sent. */
  apart?: readonly number[];
  /** From the guard: true when the namespace has our search attributes. */
  searchAttributes?: boolean;
  /** From the guard: true when a receiver is told of the ends of orders. */
  answers?: boolean;
  /** From the guard: true when an earlier run of the order may have sent something. */
  sentBefore?: boolean;
};

/**
 * An end of the only attempt. It is no fault of the worker, so it logs no warning. A retry of the
 * workflow helps only for a type that is no FailureType.
 */
export function stop(
  type: FailureType | 'Reset' | 'Unasked',
  message: string,
  facts: FailureFacts = { ambiguous: type !== 'Refused' },
): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: true,
    details: [facts],
    category,
  });
}

/** Refuses an order, or a part of one, that cannot be carried out. */
export async function refusing<T>(attempt: () => T | Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof BadOrderError) throw stop('Refused', error.message);
    throw error;
  }
}
