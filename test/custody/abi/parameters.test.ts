import { encodeAbiParameters, getAddress, isAddress } from 'viem';
import { checksummed } from '../../../src/custody/abi/address';
import { functionOf } from '../../../src/custody/abi/functionOf';
import { isOfType, toValues } from '../../../src/custody/abi/parameters';
import { seeded } from '../../support/seeded';

const random = seeded(1);
const digits = (count: number, alphabet = '0123456789abcdef'): string =>
  Array.from({ length: count }, () => alphabet[random(alphabet.length)]).join('');

const address = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
const types = [
  ...['uint8', 'uint256', 'int8', 'int256', 'uint', 'bool', 'string', 'address', 'function'],
  ...['bytes', 'bytes1', 'bytes32', 'uint8[]', 'uint8[2]', 'bytes2[2][]', 'address[1]'],
  ...['(uint8,bool)', '(uint8 count,bool isOpen)', '(uint8,bool)[]', '((uint8)[2],string)'],
];
const values: unknown[] = [
  ...['0', '255', '256', '-1', '-128', '-129', '127', '128', '0xff', '0x100', '0x', '', 'a', ' 1'],
  ...[String(2n ** 256n - 1n), String(2n ** 256n), String(-(2n ** 255n)), String(2n ** 255n)],
  ...[0, 5, 1.5, -1, 2 ** 53, true, false, 'true', 'yes', null, undefined, {}],
  ...['0x1', '0x12', `0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(33)}`],
  ...[address, address.toLowerCase(), address.toUpperCase(), address.replace('B', 'b')],
  `0x${address.slice(2).toUpperCase()}`,
  ...[[], ['1'], ['1', '2'], ['1', '2', '3'], [address], ['1', true], [['1', true]], ['256', true]],
  ...[[['0x1234', '0x1234']], [[['1'], ['2']], 'text'], [[['1'], ['2']], 5], [['1'], 'text']],
];

/** The encoder's own opinion of a value. It takes anything for text, and halves of bytes. */
function isEncoded(type: string, value: unknown): boolean {
  const { inputs = [] } = functionOf(`f(${type})`) ?? {};
  try {
    encodeAbiParameters(inputs, toValues(inputs, [value]));
    return true;
  } catch {
    return false;
  }
}

test.each(types)('a value fits %s exactly where the encoder takes it', (type) => {
  const [input] = functionOf(`f(${type})`)?.inputs ?? [];
  if (input === undefined) throw new Error(type);
  const fitting = values.filter((value) => isOfType(input, value));
  expect(fitting).toEqual(values.filter((value) => isEncoded(type, value)));
  expect(fitting.length > 0).toBe(type !== 'function');
});

test.each([
  ['uint8', '256', '"256" is out of the range of uint8'],
  ['bytes2', '0x12', 'bytes2 wants 2 bytes, 1 given'],
  ['uint8[2]', ['1'], 'uint8[2] wants 2 values, 1 given'],
  ['string', 5, '5 is not text'],
  ['address', '0x12', '"0x12" is not an address'],
])('a value that does not fit %s is named: %p', (type, value, words) => {
  const { inputs = [] } = functionOf(`f(${type})`) ?? {};
  expect(() => toValues(inputs, [value])).toThrow(new TypeError(words));
});

test.each([
  ['uint256', '1'.repeat(1_000_000), /^"1{79}… is not a whole number$/],
  ['uint256', '0'.repeat(79), /^"0{79}… is not a whole number$/],
  ['int256', `-${'9'.repeat(79)}`, /^"-9{78}… is not a whole number$/],
  ['uint256', `0x${'0'.repeat(65)}`, /^"0x0{65}" is not a whole number$/],
  ['uint8', `0x${'f'.repeat(64)}`, /^"0xf{64}" is out of the range of uint8$/],
  ['bytes', `0x${'f'.repeat(999_999)}`, /^"0xf{77}… is not 0x and whole bytes$/],
  ['address', 'x'.repeat(1_000_000), /^"x{79}… is not an address$/],
  ['bool', 'x'.repeat(1_000_000), /^"x{79}… is neither true nor false$/],
  ['string', ['x'.repeat(1_000_000)], /^\["x{78}… is not text$/],
])(
  'a value is refused for %s before it becomes a number, in a short sentence',
  (type, value, words) => {
    const { inputs = [] } = functionOf(`f(${type})`) ?? {};
    expect(() => toValues(inputs, [value])).toThrow(words);
  },
);

test('a number of as many digits as the largest is read, with zeros in front too', () => {
  const { inputs = [] } = functionOf('f(uint256,uint256,uint256,int8)') ?? {};
  const largest = 2n ** 256n - 1n;
  const given = [`${largest}`, `0x${largest.toString(16)}`, '7'.padStart(78, '0'), '-128'];
  expect(toValues(inputs, given)).toEqual([largest, largest, 7n, -128n]);
});

test('addresses get the checksum that viem gives them, and wrong ones are none', () => {
  for (let count = 0; count < 2_000; count++) {
    const text = `0x${digits(40)}`;
    expect(checksummed(text)).toBe(getAddress(text));
    const mixed = `0x${digits(40, '0123456789abcdefABCDEF')}`;
    expect(checksummed(mixed) !== undefined).toBe(isAddress(mixed));
    expect(checksummed(getAddress(text))).toBe(getAddress(text));
    expect(checksummed(`0x${text.slice(2).toUpperCase()}`)).toBe(getAddress(text));
  }
  for (const text of [
    '',
    '0x',
    `0x${digits(39)}`,
    `0X${digits(40)}`,
    `0x${digits(39)}g`,
    `${address}0`,
  ]) {
    expect(checksummed(text)).toBeUndefined();
  }
});
