import type { Hex } from 'viem';
import { decodedCall } from '../../custody/abi/callData';
import { functionOf } from '../../custody/abi/functionOf';
import type { Limit, NamedCall } from '../file/policy';
import { restBehind } from './callEffects';
import type { CallEffect } from './effects';

/** The call of a limit that names a call. Undefined if it names none. */
export function namedCall(
  { calls }: Pick<Limit, 'calls'>,
  { contract, data }: CallEffect & { kind: 'call' },
) {
  return calls.find((call) => call.contract === contract && data.startsWith(call.selector));
}

/** The addresses among the arguments. Undefined for data that does not exactly fit the function. */
export function addressesOf({ signature }: NamedCall, data: Hex): string[] | undefined {
  const named = functionOf(signature);
  if (named === undefined) return undefined;
  const call = decodedCall([named], data);
  if (call === undefined || restBehind([named], data) !== '') return undefined;
  return addressesIn(call.args ?? []);
}

function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return /^0x[0-9a-fA-F]{40}$/.test(value) ? [value.toLowerCase()] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(addressesIn);
}

/** The words of call data that have the form of an address. */
export function addressWordsOf(data: string): string[] {
  const words = data.slice(10).match(/.{64}/g) ?? [];
  return words.flatMap((word) => (/^0{24}/.test(word) ? [`0x${word.slice(24)}`] : []));
}
