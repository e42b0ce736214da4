import { type ExitCode, exitCodes } from '../exit';
import { isCutShort, readPayoutReceipt } from '../payout/tellPayout';

/** The exit code of a completed order. A payout also completes when lines failed. */
export function codeOfReceipt(receipt: unknown): ExitCode {
  const payout = readPayoutReceipt(receipt);
  if (payout === undefined) return exitCodes.done;
  if (payout.unknown > 0) return exitCodes.needsOperator;
  return payout.failed > 0 || isCutShort(receipt) ? exitCodes.failed : exitCodes.done;
}
