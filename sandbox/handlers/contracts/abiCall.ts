import { type AbiFunction, getAddress, maxUint256 } from 'viem';
import { encodeCall } from '../../../src/custody/abi/callData';
import { functionOf as parseFunction } from '../../../src/custody/abi/functionOf';
import type { Input } from '../../../src/custody/endpoints';
import { toBaseUnits } from '../../../src/custody/objects/amount';
import { fault, type Side } from '../../errors/errors';
import type { Hex, PlannedCall } from '../../store/records/records';
import { isValidAddress } from '../address';

type ExecutionInput = Pick<
  Input<'executeContract'>,
  'abiFunctionSignature' | 'abiParameters' | 'callData' | 'contractAddress' | 'amount'
>;
type Call = Pick<ExecutionInput, 'abiFunctionSignature' | 'abiParameters' | 'callData'>;

/** The call data of a request: given as it is, or packed from a signature and its parameters. */
export function callData(call: Call, side: Side = 'wallets'): Hex {
  if (call.callData !== undefined) {
    if (call.abiFunctionSignature !== undefined || (call.abiParameters ?? []).length > 0) {
      throw fault('twoCalls', side);
    }
    if (!/^0x([0-9a-fA-F]{2})*$/.test(call.callData)) {
      throw fault('abiMismatch', side, 'callData is not 0x hex');
    }
    return `0x${call.callData.slice(2)}`;
  }
  if (call.abiFunctionSignature === undefined) throw fault('noSignature', side);
  const abi = readFunction(call.abiFunctionSignature, side);
  try {
    return encodeCall(abi, call.abiParameters ?? []);
  } catch (error) {
    throw fault('abiMismatch', side, error instanceof Error ? error.message.split('\n')[0] : '');
  }
}

/** The function that a signature names, with what it returns where the signature says that too. */
export function readFunction(signature: string, side: Side): AbiFunction {
  const abi = parseFunction(signature);
  if (abi !== undefined) return abi;
  throw fault('abiMismatch', side, `${signature} is not a function signature`);
}

/** The call of a contract that a request asks for. */
export function executionCall(input: ExecutionInput): PlannedCall {
  if (!isValidAddress(input.contractAddress)) {
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
