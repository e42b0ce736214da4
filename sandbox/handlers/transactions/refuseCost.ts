import { estimateCall } from '../../chain/estimateCall';
import { GasLimitExceededError, transactionGasMax } from '../../chain/node/gasLimits';
import { CallRevertedError, InsufficientNativeBalanceError } from '../../chain/revert';
import { FeeAboveCapError, isUnderCap, requireUnderCap } from '../../engine/broadcast/feeCap';
import { offeredFees } from '../../engine/broadcast/fees';
import { fault, type Side } from '../../errors/errors';
import { callOf, type TransactionRow } from '../../store/records/records';
import type { Service } from '../service';
import { gasNeeded } from './gasNeeded';

/** Refuses a new transaction that would cost too much, by its own gas limit or by an estimate. */
export async function refuseCost(service: Service, row: TransactionRow, side: Side): Promise<void> {
  const refuse = row.gasLimit === undefined ? refuseEstimate : refuseGasLimit;
  try {
    await refuse(service, row, side);
  } catch (error) {
    throw costFault(error, side);
  }
}

/** The code of what costs too much. Any other error stays as it is. */
export function costFault(error: unknown, side: Side): unknown {
  if (error instanceof GasLimitExceededError) return fault('gasAboveAllowance', side);
  if (error instanceof FeeAboveCapError) return fault('feeAboveCap', side);
  return error;
}

/**
 * Refuses a given gas limit that the call cannot do with, or that costs too much. A call that would
 * revert is not judged by it: that is accepted, and fails with its own reason.
 */
async function refuseGasLimit(service: Service, row: TransactionRow, side: Side): Promise<void> {
  const { chain } = service;
  const limit = BigInt(row.gasLimit ?? 0);
  requireUnderCap(service, limit, offeredFees(row, chain.baseFeePerGas));
  if (limit > transactionGasMax) throw fault('gasAboveAllowance', side);
  const needed = await estimateCall(chain, { from: row.sourceAddress, call: callOf(row) }).catch(
    (error: unknown) => {
      const isOwnFault =
        error instanceof CallRevertedError || error instanceof InsufficientNativeBalanceError;
      if (!isOwnFault) throw error;
      return 0n;
    },
  );
  if (limit < needed) throw fault('gasLimitTooLow', side);
}

/**
 * More than a transfer is charged for, of any standard, also with the creation of its account. A
 * transfer that needs more fails when it is signed.
 */
const transferGas = 2_000_000n;

/**
 * Refuses a call whose estimate is too high. What has no estimate yet is judged when it is signed,
 * and so are deployments.
 */
async function refuseEstimate(service: Service, row: TransactionRow): Promise<void> {
  if (row.contractId !== undefined) return;
  const fees = offeredFees(row, service.chain.baseFeePerGas);
  if (row.operation === 'TRANSFER') {
    if (isUnderCap(service, transferGas, fees)) return;
  } else if (row.operation !== 'CONTRACT_EXECUTION') return;
  const source = { address: row.sourceAddress, wallet: service.store.wallets.get(row.walletId) };
  const needed = await gasNeeded(service, source, callOf(row)).catch((error: unknown) => {
    if (error instanceof GasLimitExceededError) throw error;
    return undefined;
  });
  if (needed !== undefined) requireUnderCap(service, needed.gas, fees);
}
