import type { AbiFunction } from 'viem';
import { encodeCall, functionOf as parseFunction } from '../../../src/custody/callData';
import type { AbiParameter } from '../../../src/custody/endpoints';
import { fault, type Side } from '../../errors/errors';
import type { Hex } from '../../store/records/records';

type Call = {
  abiFunctionSignature?: string | undefined;
  abiParameters?: AbiParameter[] | undefined;
  callData?: string | undefined;
};

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
  const abi = functionOf(call.abiFunctionSignature, side);
  try {
    return encodeCall(abi, call.abiParameters ?? []);
  } catch (error) {
    throw fault('abiMismatch', side, error instanceof Error ? error.message.split('\n')[0] : '');
  }
}

/** The function that a signature names, with what it returns where the signature says that too. */
export function functionOf(signature: string, side: Side): AbiFunction {
  const abi = parseFunction(signature);
  if (abi !== undefined) return abi;
  throw fault('abiMismatch', side, `${signature} is not a function signature`);
}
