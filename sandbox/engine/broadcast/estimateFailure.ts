import { GasLimitExceededError, GasLimitTooLowError } from '../../chain/node/gasLimits';
import { CallRevertedError, InsufficientNativeBalanceError, lacksTokens } from '../../chain/revert';
import type { TransactionRow } from '../../store/records/records';
import type { Failure } from '../stage';
import { FeeAboveCapError } from './feeCap';

/** The chain's reason against a transaction. Undefined if the error is of another kind. */
export function estimateFailure(row: TransactionRow, error: unknown): Failure | undefined {
  if (error instanceof InsufficientNativeBalanceError) {
    return { errorReason: 'INSUFFICIENT_NATIVE_TOKEN', errorDetails: error.message };
  }
  if (error instanceof GasLimitTooLowError) {
    return { errorReason: 'GAS_LIMIT_TOO_LOW', errorDetails: error.message };
  }
  if (error instanceof GasLimitExceededError) {
    return { errorReason: 'ESTIMATION_ERROR', errorDetails: error.message };
  }
  if (error instanceof FeeAboveCapError) {
    return { errorReason: 'FEE_EXCEEDS_MAX_ALLOWANCE', errorDetails: error.message };
  }
  if (!(error instanceof CallRevertedError)) return undefined;
  const isShort = row.operation === 'TRANSFER' && lacksTokens(error);
  return {
    errorReason: isShort ? 'INSUFFICIENT_TOKEN' : 'ESTIMATION_ERROR',
    errorDetails: error.reason,
  };
}
