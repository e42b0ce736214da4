import type { Abi, AbiFunction, AbiParameter as AbiType } from 'abitype';
import { decodeFunctionData, encodeAbiParameters, encodeFunctionData, type Hex } from 'viem';
import { toValues } from './parameters';
import { hasSharedBytes } from './sharedBytes';

/**
 * The call data of a function with parameters as JSON has them: integers as decimal strings, tuples
 * as arrays. Throws a TypeError that says which parameter does not fit, or that one is missing.
 */
export function encodeCall(abi: AbiFunction, parameters: readonly unknown[]): `0x${string}` {
  return encodeFunctionData({ abi: [abi], args: toValues(abi.inputs, parameters) });
}

/** Parameters alone, as they stand behind the code of a contract whose constructor takes them. */
export function encodeParameters(
  types: readonly AbiType[],
  parameters: readonly unknown[],
): `0x${string}` {
  return encodeAbiParameters(types, toValues(types, parameters));
}

/** The result of a decoder. Undefined for bytes that it cannot read: anybody can send any. */
export function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/**
 * The function and the arguments in call data. Undefined for data of another function, and for data
 * whose arguments share bytes: to decode it could take minutes.
 */
export function decodedCall<const Known extends Abi>(abi: Known, data: Hex) {
  return decoded(() => {
    if (hasSharedBytes(abi, data)) throw new RangeError();
    return decodeFunctionData({ abi, data });
  });
}

/** The output of a view function as the service gives it, with or without `0x` in front. */
export function outputOf(outputData: string): `0x${string}` {
  return `0x${outputData.replace(/^0x/, '')}`;
}
