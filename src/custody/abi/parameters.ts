import type { AbiParameter as AbiType } from 'abitype';
import { checksummed } from './address';

const shownMax = 80;

/**
 * Parameters as JSON has them, for an encoder: decimal strings become integers, and lists become
 * tuples. Throws a TypeError that says which one does not fit its type, or that one is missing.
 */
export function toValues(types: readonly AbiType[], parameters: readonly unknown[]): unknown[] {
  if (parameters.length !== types.length) {
    throw new TypeError(`${types.length} parameters expected, ${parameters.length} given`);
  }
  return types.map((type, index) => toValue(type, parameters[index]));
}

/** True when a JSON value fits an ABI type. */
export function isOfType(type: AbiType, value: unknown): boolean {
  try {
    toValue(type, value);
    return true;
  } catch {
    return false;
  }
}

function toValue(type: AbiType, value: unknown): unknown {
  const [isArray, item = '', length = ''] = /^(.*)\[(\d*)\]$/.exec(type.type) ?? [];
  if (isArray !== undefined) {
    if (!Array.isArray(value)) throw new TypeError(`${type.type} wants an array`);
    if (length !== '' && value.length !== Number(length)) {
      throw new TypeError(`${type.type} wants ${length} values, ${value.length} given`);
    }
    return value.map((one) => toValue({ ...type, type: item }, one));
  }
  if (type.type === 'tuple' && 'components' in type) return toTuple(type.components, value);
  const [, word = '', size = ''] = /^([a-z]+)(\d*)$/.exec(type.type) ?? [];
  switch (word) {
    case 'uint':
    case 'int':
      return toInteger(type.type, value);
    case 'bool':
      return toBoolean(value);
    case 'bytes':
      return toBytes(size, value);
    case 'address':
      return toAddress(value);
    case 'string':
      if (typeof value === 'string') return value;
      throw new TypeError(`${shown(value)} is not text`);
    default:
      throw new TypeError(`${type.type} is a type without values in JSON`);
  }
}

/** The form with the checksum, which is the one that an encoder takes. */
function toAddress(value: unknown): string {
  const address = typeof value === 'string' ? checksummed(value) : undefined;
  if (address === undefined) throw new TypeError(`${shown(value)} is not an address`);
  return address;
}

/** A list of the fields, since two of them may have one name. */
function toTuple(components: readonly AbiType[], value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length !== components.length) {
    throw new TypeError('A tuple is given as an array of its fields');
  }
  return components.map((field, index) => toValue(field, value[index]));
}

/**
 * A number of the usual digits, and of no more than the largest one has: a million of them would
 * hold up the thread. Never what BigInt makes of anything else: '' would be 0, and true 1.
 */
function toInteger(type: string, value: unknown): bigint {
  const isWhole =
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    (typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value));
  if (!isWhole) throw new TypeError(`${shown(value)} is not a whole number`);
  const number = BigInt(value);
  const bits = Number(/\d+$/.exec(type)?.[0] ?? 256);
  const inRange = type.startsWith('u') ? BigInt.asUintN(bits, number) : BigInt.asIntN(bits, number);
  if (number !== inRange) throw new TypeError(`${shown(value)} is out of the range of ${type}`);
  return number;
}

/** Whole bytes. A half of one would be filled up on either side. */
function toBytes(size: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value)) {
    throw new TypeError(`${shown(value)} is not 0x and whole bytes`);
  }
  if (size === '' || value.length === 2 + 2 * Number(size)) return value;
  throw new TypeError(`bytes${size} wants ${size} bytes, ${value.length / 2 - 1} given`);
}

function toBoolean(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new TypeError(`${shown(value)} is neither true nor false`);
}

/** A value in a sentence, which stays short whatever a caller gives. */
function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? `${value}`;
  return json.length > shownMax ? `${json.slice(0, shownMax)}…` : json;
}
