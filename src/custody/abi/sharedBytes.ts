import type { Abi, AbiParameter } from 'abitype';
import { type Hex, toFunctionSelector } from 'viem';
import { levelsMax } from './functionOf';

/** The bytes that a decoder reads for a type. A static type is read where it stands. */
type Shape =
  | { kind: 'static'; bytes: number }
  | { kind: 'bytes' }
  | { kind: 'tuple'; parts: readonly Shape[] }
  | { kind: 'list'; of: Shape; count: number | undefined };

const wordBytes = 32;
const selectorDigits = 10;

/**
 * Returns true for the call of one of these functions whose arguments are cut off or share bytes.
 */
export function hasSharedBytes(abi: Abi, data: Hex): boolean {
  const selector = data.slice(0, selectorDigits);
  const called = abi.find(
    (item) => item.type === 'function' && toFunctionSelector(item) === selector,
  );
  if (called?.type !== 'function') return false;
  return sharesBytes(called.inputs, `0x${data.slice(selectorDigits)}`);
}

/**
 * Returns true for values that come to more bytes than there are: they are cut off or share bytes.
 * No encoder writes such data, and a decoder copies shared bytes for each of their parts. Throws a
 * RangeError for a type of too many levels, and for a list of parts without bytes.
 */
export function sharesBytes(types: readonly AbiParameter[], data: Hex): boolean {
  let left = (data.length - 2) / 2;
  // Each step spends bytes, so the walk ends with them, whatever the data says of its lengths.
  const spend = (bytes: number): boolean => {
    left -= bytes;
    return left >= 0;
  };
  const wordAt = (at: number): number =>
    Number(`0x${data.slice(2 + at * 2, 2 + (at + wordBytes) * 2)}`);
  /** Values in a row, whose offsets count from its start. */
  const fitAll = (shapes: readonly Shape[], start: number): boolean => {
    let at = start;
    return shapes.every((shape) => {
      const own = at;
      at += shape.kind === 'static' ? shape.bytes : wordBytes;
      return fits(shape, own, start);
    });
  };
  const fits = (shape: Shape, at: number, base: number): boolean => {
    if (shape.kind === 'static') return spend(shape.bytes);
    const start = base + wordAt(at);
    if (!spend(wordBytes)) return false;
    if (shape.kind === 'tuple') return fitAll(shape.parts, start);
    if (shape.kind === 'bytes') return spend(wordBytes + wordAt(start));
    const { of, count = wordAt(start) } = shape;
    const first = shape.count === undefined ? start + wordBytes : start;
    if (!spend(first - start)) return false;
    if (of.kind === 'static') return spend(count * of.bytes);
    for (let index = 0; index < count; index++) {
      if (!fits(of, first + index * wordBytes, first)) return false;
    }
    return true;
  };
  const shapes = types.map((type) => shapeOf(type));
  return !fitAll(shapes, 0);
}

function shapeOf(type: AbiParameter, levels = levelsMax): Shape {
  if (levels === 0) throw new RangeError(`A type has more than ${levelsMax} levels.`);
  const [, item, count] = /^(.*)\[(\d*)\]$/.exec(type.type) ?? [];
  if (item !== undefined) {
    const of = shapeOf({ ...type, type: item }, levels - 1);
    if (of.kind === 'static' && of.bytes === 0) {
      throw new RangeError('A list of parts without bytes has no end that its data shows.');
    }
    if (count === '') return { kind: 'list', of, count: undefined };
    if (of.kind !== 'static') return { kind: 'list', of, count: Number(count) };
    return { kind: 'static', bytes: of.bytes * Number(count) };
  }
  if (type.type === 'bytes' || type.type === 'string') return { kind: 'bytes' };
  if (!('components' in type)) return { kind: 'static', bytes: wordBytes };
  const parts = type.components.map((part) => shapeOf(part, levels - 1));
  let bytes = 0;
  for (const part of parts) {
    if (part.kind !== 'static') return { kind: 'tuple', parts };
    bytes += part.bytes;
  }
  return { kind: 'static', bytes };
}
