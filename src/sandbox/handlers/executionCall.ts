import { getAddress, isAddress, maxUint256 } from 'viem';
import { toBaseUnits } from '../../custody/amount';
import { refusal } from '../errors';
import type { PlannedCall } from '../store/records';
import { callData } from './abiCall';

type ExecutionInput = Parameters<typeof callData>[0] & {
  contractAddress: string;
  amount?: string | undefined;
};

/** The call of a contract that a request asks for. */
export function executionCall(input: ExecutionInput): PlannedCall {
  if (!isAddress(input.contractAddress)) {
    throw refusal(155219, 'Invalid destination address: contractAddress is no address');
  }
  const to = getAddress(input.contractAddress);
  return { to, value: nativeValue(input.amount).toString(), data: callData(input) };
}

const nativeDecimals = 18;

/** What the call carries of the native coin, in base units; an amount that is left out is none. */
function nativeValue(amount = ''): bigint {
  if (amount === '') return 0n;
  try {
    const value = toBaseUnits(amount, nativeDecimals);
    if (value <= maxUint256) return value;
  } catch {
    // Not a decimal, or finer than the coin: refused below, like what no chain can count.
  }
  throw refusal(155245, 'Invalid amount in contract execution request.');
}
