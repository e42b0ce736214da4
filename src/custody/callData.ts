import {
  type AbiFunction,
  type AbiParameter as AbiType,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbiItem,
} from 'viem';

/** Parses the signature of a function. Returns undefined when it is none. */
export function functionOf(signature: string): AbiFunction | undefined {
  try {
    const item = parseAbiItem(`function ${signature}`);
    return item.type === 'function' ? item : undefined;
  } catch {
    return undefined;
  }
}

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

/** The output of a view function as the service gives it, with or without `0x` in front. */
export function outputOf(outputData: string): `0x${string}` {
  return `0x${outputData.replace(/^0x/, '')}`;
}

function toValues(types: readonly AbiType[], parameters: readonly unknown[]): unknown[] {
  if (parameters.length !== types.length) {
    throw new TypeError(`${types.length} parameters expected, ${parameters.length} given`);
  }
  return types.map((type, index) => toValue(type, parameters[index]));
}

/** True when a JSON value fits an ABI type. */
export function isOfType(type: AbiType, value: unknown): boolean {
  try {
    encodeAbiParameters([type], [toValue(type, value)]);
    return true;
  } catch {
    return false;
  }
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
  if (/^bytes/.test(type.type)) return toBytes(value);
  return value;
}

/** Never what BigInt makes of anything else: '' would be 0, and true 1. */
function toInteger(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)) return BigInt(value);
  throw new TypeError(`${JSON.stringify(value)} is not a whole number`);
}

/** Whole bytes. A half of one would be filled up on either side. */
function toBytes(value: unknown): unknown {
  if (typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)) return value;
  throw new TypeError(`${JSON.stringify(value)} is not 0x and whole bytes`);
}

function toBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new TypeError(`${JSON.stringify(value)} is neither true nor false`);
}
