import { ApplicationFailure } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { BadOrderError } from '../../src/orders/input/read';
import type { FailureFacts, FailureType } from '../failure';

/** What is wrong with what somebody has handed over, told as a refusal. */
export async function refusing<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BadOrderError) throw refused(error.message);
    throw error;
  }
}

/** A refusal: trying the same again leads nowhere. */
export function refused(message: string): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: 'Refused' satisfies FailureType,
    nonRetryable: true,
    details: [{ ambiguous: false } satisfies FailureFacts],
    category: ApplicationFailureCategory.BENIGN,
  });
}
