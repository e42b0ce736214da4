import {
  type AbiFunction,
  type AbiParameter as AbiType,
  encodeFunctionData,
  parseAbiItem,
} from 'viem';
import type { AbiParameter } from '../../custody/endpoints';
import { fault, type Side } from '../errors';
import type { Hex } from '../store/records';

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
  const parameters = call.abiParameters ?? [];
  if (parameters.length !== abi.inputs.length) {
    const counts = `${abi.inputs.length} parameters expected, ${parameters.length} given`;
    throw fault('abiMismatch', side, counts);
  }
  try {
    const args = abi.inputs.map((type, index) => toValue(type, parameters[index]));
    return encodeFunctionData({ abi: [abi], args });
  } catch (error) {
    throw fault('abiMismatch', side, error instanceof Error ? error.message.split('\n')[0] : '');
  }
}

/** The function that a signature names, with what it returns where the signature says that too. */
export function functionOf(signature: string, side: Side): AbiFunction {
  try {
    const item = parseAbiItem(`function ${signature}`);
    if (item.type === 'function') return item;
  } catch {
    // Refused below, with the signature named.
  }
  throw fault('abiMismatch', side, `${signature} is not a function signature`);
}

/** JSON to what the encoder wants: decimal strings to integers, nested arrays to tuples. */
function toValue(type: AbiType, value: unknown): unknown {
  const array = type.type.match(/^(.*)\[\d*\]$/);
  if (array) {
    if (!Array.isArray(value)) throw new TypeError(`${type.type} wants an array`);
    return value.map((item) => toValue({ ...type, type: array[1] ?? '' }, item));
  }
  if (type.type === 'tuple' && 'components' in type) {
    if (!Array.isArray(value) || value.length !== type.components.length) {
      throw new TypeError('A tuple is given as an array of its fields');
    }
    const fields = type.components.map((field, index) => toValue(field, value[index]));
    return type.components.some(({ name }) => name === undefined || name === '')
      ? fields
      : Object.fromEntries(type.components.map(({ name }, index) => [name, fields[index]]));
  }
  if (/^u?int/.test(type.type)) return toInteger(value);
  if (type.type === 'bool') return toBoolean(value);
  return value;
}

/** Never what BigInt makes of anything else: '' would be 0, and true 1. */
function toInteger(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)) return BigInt(value);
  throw new TypeError(`${JSON.stringify(value)} is not a whole number`);
}

function toBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new TypeError(`${JSON.stringify(value)} is neither true nor false`);
}
