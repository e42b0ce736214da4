import type { AbiParameter } from 'abitype';
import {
  type Abi,
  type AbiFunction,
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
  slice,
  toFunctionSelector,
} from 'viem';
import { decodedCall } from '../../../src/custody/abi/callData';
import { functionOf } from '../../../src/custody/abi/functionOf';
import { hasSharedBytes, sharesBytes } from '../../../src/custody/abi/sharedBytes';
import { seeded } from '../../support/seeded';

const abiOf = (signature: string): Abi => [parseAbiItem(`function ${signature}`) as AbiFunction];
const word = (value: number): string => value.toString(16).padStart(64, '0');
const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';

const calls = [
  ['pay(address,uint256)', [payee, 1n]],
  ['keep(bytes,string)', ['0x', 'a text that has more letters than one word']],
  [
    'lists(uint256[],bytes[],string[2])',
    [
      [1n, 2n],
      ['0x11', '0x'],
      ['a', ''],
    ],
  ],
  ['nested(uint8[][],uint8[2][],uint8[][2])', [[[1], []], [[1, 2]], [[], [3]]]],
  ['tuples((address,(bool,bytes)[])[],(uint8,uint8))', [[[payee, [[true, '0x1122']]]], [1, 2]]],
  ['none()', []],
] as const;

test.each(calls)('what an encoder makes of %s has no shared bytes', (signature, args) => {
  const abi = abiOf(signature);
  const [functionName = ''] = signature.split('(');
  const data = encodeFunctionData({ abi, functionName, args: [...args] });
  for (const given of [data, `${data}${'ff'.repeat(20)}`] as const) {
    expect(hasSharedBytes(abi, given)).toBe(false);
    const call = decodedCall(abi, given);
    expect(call && encodeFunctionData({ abi, ...call } as never)).toBe(data);
  }
});

const many = 3_000;
/** A list whose items all are at the place behind their offsets. */
const pointing = `${word(many)}${word(many * 32).repeat(many)}`;

test.each([
  ['run(bytes[])', `${word(32)}${pointing}${word(64)}${'11'.repeat(64)}`],
  ['run(string[],uint8)', `${word(64)}${word(1)}${pointing}${word(64)}${'61'.repeat(64)}`],
  ['run((uint8,bytes)[])', `${word(32)}${pointing}${word(1)}${word(64)}${word(0)}`],
  ['run(uint256[][])', `${word(32)}${pointing}${word(2)}${word(1)}${word(1)}`],
  ['run(uint256[2][][])', `${word(32)}${pointing}${word(1)}${word(1)}${word(1)}`],
  ['run(bytes[][])', `${word(32)}${word(1)}${word(32)}${pointing}${word(1)}${word(0)}`],
  ['run(bytes[2])', `${word(32)}${word(64)}${word(64)}${word(64)}${'11'.repeat(64)}`],
])('parts of %s that are the same bytes are found, and not decoded', (signature, digits) => {
  const abi = abiOf(signature);
  const data: Hex = `${toFunctionSelector(signature)}${digits}`;
  expect(hasSharedBytes(abi, data)).toBe(true);
  expect(decodedCall(abi, data)).toBe(undefined);
});

test.each([
  ['a number of items that no data has', `${word(32)}${'f'.repeat(64)}`],
  ['a length that no data has', `${word(32)}${word(1)}${word(32)}${'f'.repeat(64)}`],
  ['a place that no data has', `${'f'.repeat(64)}`],
  ['a list that is its own items', word(32).repeat(40)],
  ['nothing at all', ''],
])('%s is walked to its end at once, and not decoded', (_, digits) => {
  const abi = abiOf('run(bytes[])');
  const begin = performance.now();
  expect(decodedCall(abi, `${toFunctionSelector('run(bytes[])')}${digits}` as Hex)).toBe(undefined);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

const random = seeded(7);
const typesOf = (types: string): readonly AbiParameter[] => functionOf(`f(${types})`)?.inputs ?? [];

/** A value of the type, with lists and texts of random lengths. */
function someOf(type: AbiParameter): unknown {
  const [, item, count] = /^(.*)\[(\d*)\]$/.exec(type.type) ?? [];
  if (item !== undefined) {
    const length = count === '' ? random(4) : Number(count);
    return Array.from({ length }, () => someOf({ ...type, type: item }));
  }
  if ('components' in type) return type.components.map(someOf);
  if (type.type === 'bytes') return `0x${'5a'.repeat(random(70))}`;
  return type.type === 'string' ? 'x'.repeat(random(70)) : BigInt(random(200));
}

const dynamic = [
  ...['bytes', 'string', 'uint256[]', 'bytes[]', 'string[2]', 'bytes[][]', 'uint256[][2]'],
  ...['uint256[2][]', '(uint256,uint256)[]', '(uint256,bytes)', '(uint256[0],bytes)[]'],
  '(uint256,(bytes,uint256[2])[2],string)[]',
];

test.each([...dynamic, 'uint8', 'uint256[3],uint8', 'bytes,uint256[0],string,(uint8,uint8)'])(
  'no encoder makes shared bytes of %s',
  (type) => {
    const types = typesOf(type);
    for (let time = 0; time < 50; time++) {
      const data = encodeAbiParameters(types, types.map(someOf));
      expect(sharesBytes(types, data)).toBe(false);
    }
  },
);

test.each(dynamic)(
  'two of %s that are the same bytes share them, though a decoder reads both',
  (type) => {
    const [one, list] = [typesOf(type), typesOf(`${type}[]`)];
    for (let time = 0; time < 50; time++) {
      const value = one.map(someOf);
      const tail = slice(encodeAbiParameters(one, value), 32);
      const data = concat([`0x${[32, 2, 64, 64].map(word).join('')}`, tail]);
      expect(encodeAbiParameters(list, decodeAbiParameters(list, data))).toBe(
        encodeAbiParameters(list, [[...value, ...value]]),
      );
      expect(sharesBytes(list, data)).toBe(true);
    }
  },
);

test('a fixed list without an end is walked no further than the data', () => {
  expect(sharesBytes(typesOf('bytes[999999999999]'), `0x${word(32)}${word(0)}`)).toBe(true);
});

test.each(['uint8[0][999999999999]', 'uint8[0][]', '(uint8[0])[]'])(
  'a list of parts without bytes, which has no end, is refused at once: %s',
  (type) => {
    const data: Hex = `0x${word(32)}${'f'.repeat(64)}`;
    expect(() => sharesBytes(typesOf(type), data)).toThrow('A list of parts without bytes');
  },
);

test('a type of endless levels is refused at once', () => {
  const endless = [{ type: `uint8${'[1]'.repeat(100_000)}` }];
  expect(() => sharesBytes(endless, `0x${word(1)}`)).toThrow('A type has more than 16 levels.');
});
