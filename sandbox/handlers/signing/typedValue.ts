import { type Address, isAddress, isHex } from 'viem';
import { isElementary } from '../../../src/custody/abi/elementary';

/** True for a type of Solidity whose values are signed. Functions are not. */
export function isSignable(type: string): boolean {
  return isElementary(type) && type !== 'function';
}

/** The fault of a value of one of Solidity's own types. Undefined if the value is right. */
export function valueFault(type: string, value: unknown): string | undefined {
  if (!isSignable(type)) return `is of no type: types has no ${type}`;
  const [, kind, size = ''] = type.match(/^([a-z]+)(\d*)$/) ?? [];
  switch (kind) {
    case 'address':
      return isAddressValue(value) ? undefined : 'is no address';
    case 'bool':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'string':
      return typeof value === 'string' ? undefined : 'is no text';
    case 'bytes':
      return isBytes(value, size) ? undefined : `is no 0x hex of ${size || 'whole'} bytes`;
    default:
      return integerFault({ isSigned: kind === 'int', bits: BigInt(size || 256) }, value);
  }
}

/** An address is text: a list of one address would be read as that address. */
export function isAddressValue(value: unknown): value is Address {
  return typeof value === 'string' && isAddress(value, { strict: false });
}

function isBytes(value: unknown, size: string): boolean {
  if (!isHex(value) || value.length % 2 !== 0) return false;
  return size === '' || value.length === 2 + 2 * Number(size);
}

const wholeNumber = /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/;

/** A number that JSON cannot tell from its neighbour would be signed as that one. */
function integerFault({ isSigned, bits }: { isSigned: boolean; bits: bigint }, value: unknown) {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    return 'is no whole number that JSON keeps: write it as text';
  }
  if (typeof value !== 'number' && !(typeof value === 'string' && wholeNumber.test(value))) {
    return 'is no whole number';
  }
  const [least, most] = isSigned
    ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
    : [0n, 2n ** bits - 1n];
  const given = BigInt(value);
  return given < least || given > most ? `does not fit ${bits} bits` : undefined;
}
