import { getAddress, isAddress, maxUint256 } from 'viem';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import { fault } from '../../errors/errors';
import type { PlannedCall } from '../../store/records/records';
import { callData } from './abiCall';

type ExecutionInput = Parameters<typeof callData>[0] & {
  contractAddress: string;
  amount?: string | undefined;
};

/** The call of a contract that a request asks for. */
export function executionCall(input: ExecutionInput): PlannedCall {
  if (!isAddress(input.contractAddress)) {
    throw fault('destinationInvalid', 'wallets', 'contractAddress is no address');
  }
  const to = getAddress(input.contractAddress);
  return { to, value: nativeValue(input.amount).toString(), data: callData(input) };
}

const nativeDecimals = 18;

/** The native coins that the call carries, in base units. No amount means none. */
function nativeValue(amount = ''): bigint {
  if (amount === '') return 0n;
  try {
    const value = toBaseUnits(amount, nativeDecimals);
    if (value <= maxUint256) return value;
  } catch {
    // Not a decimal, or finer than the coin: refused below, like what no chain can count.
  }
  throw fault('executionAmountInvalid');
}
