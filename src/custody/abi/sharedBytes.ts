import type { Abi, AbiParameter } from 'abitype';
import { type Hex, toFunctionSelector } from 'viem';

const wordBytes = 32;
const selectorDigits = 10;

/**
 * True for the call of one of these functions whose arguments come to more bytes than it has. No
 * encoder writes one. Its parts are the same bytes, which a decoder would read once for each part.
 */
export function hasSharedBytes(abi: Abi, data: Hex): boolean {
  const selector = data.slice(0, selectorDigits);
  const called = abi.find(
    (item) => item.type === 'function' && toFunctionSelector(item) === selector,
  );
  if (called?.type !== 'function') return false;
  let left = (data.length - selectorDigits) / 2;
  // Each step spends bytes, so the walk ends with them, whatever the data says of its lengths.
  const spend = (bytes: number): void => {
    left -= bytes;
    if (!(left >= 0)) throw new RangeError();
  };
  const wordAt = (at: number): number => {
    const from = selectorDigits + 2 * at;
    return Number(`0x${data.slice(from, from + 2 * wordBytes)}`);
  };
  /** Walks over values in a row, and returns the place behind them. */
  const walk = (types: Iterable<AbiParameter>, base: number): number => {
    let at = base;
    for (const type of types) {
      const isBehind = isDynamic(type);
      const parts = isBehind ? undefined : partsOf(type);
      if (parts === undefined) spend(wordBytes);
      if (isBehind) inside(type, base + wordAt(at));
      at = parts === undefined ? at + wordBytes : walk(parts, at);
    }
    return at;
  };
  const inside = (type: AbiParameter, at: number): void => {
    const parts = partsOf(type);
    if (parts !== undefined) {
      walk(parts, at);
      return;
    }
    spend(wordBytes);
    const list = listOf(type);
    if (list === undefined) spend(wordAt(at));
    else walk(times(list.item, wordAt(at)), at + wordBytes);
  };
  try {
    walk(called.inputs, 0);
    return false;
  } catch {
    return true;
  }
}

/** The values inside a tuple, or inside a list whose type tells their number. */
function partsOf(type: AbiParameter): Iterable<AbiParameter> | undefined {
  const list = listOf(type);
  if (list !== undefined) return list.count === 0 ? undefined : times(list.item, list.count);
  return 'components' in type ? type.components : undefined;
}

/** The type of a list's items, and their number: 0 where only the data tells it, as decoders read. */
function listOf(type: AbiParameter): { item: AbiParameter; count: number } | undefined {
  const [, item, count = ''] = /^(.*)\[(\d*)\]$/.exec(type.type) ?? [];
  return item === undefined ? undefined : { item: { ...type, type: item }, count: Number(count) };
}

function* times(type: AbiParameter, count: number): Iterable<AbiParameter> {
  for (let at = 0; at < count; at++) yield type;
}

/** True for a type whose values stand behind the others, at a place that the data tells. */
function isDynamic(type: AbiParameter): boolean {
  const list = listOf(type);
  if (list !== undefined) return list.count === 0 || isDynamic(list.item);
  if ('components' in type) return type.components.some(isDynamic);
  return type.type === 'bytes' || type.type === 'string';
}
