import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { callData } from '../../../../sandbox/handlers/contracts/abiCall';
import type { AbiParameter } from '../../../../src/custody/endpoints';

const address = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
const abi = parseAbi([
  'function mintTo(address to, uint256 amount)',
  'function set(bool on, int256 by, bytes32 id, string note)',
  'function executeBatch((address to, uint256 value, bytes data)[] calls)',
  'function grid(uint8[2][] cells)',
]);

describe('the call data of a request', () => {
  it.each<[string, string, AbiParameter[], Hex]>([
    [
      'addresses and whole numbers, given as text',
      'mintTo(address,uint256)',
      [address, '1000000000000000000000'],
      encodeFunctionData({ abi, functionName: 'mintTo', args: [address, 10n ** 21n] }),
    ],
    [
      'a whole number that is given as one',
      'mintTo(address,uint256)',
      [address, 7],
      encodeFunctionData({ abi, functionName: 'mintTo', args: [address, 7n] }),
    ],
    [
      'true, a negative number, bytes and text',
      'set(bool,int256,bytes32,string)',
      [true, '-5', `0x${'ab'.repeat(32)}`, 'five'],
      encodeFunctionData({
        abi,
        functionName: 'set',
        args: [true, -5n, `0x${'ab'.repeat(32)}`, 'five'],
      }),
    ],
    [
      'false as text',
      'set(bool,int256,bytes32,string)',
      ['false', '0', `0x${'00'.repeat(32)}`, ''],
      encodeFunctionData({
        abi,
        functionName: 'set',
        args: [false, 0n, `0x${'00'.repeat(32)}`, ''],
      }),
    ],
    [
      'structs, given as nested lists',
      'executeBatch((address,uint256,bytes)[])',
      [[[address, '1', '0x01']]],
      encodeFunctionData({
        abi,
        functionName: 'executeBatch',
        args: [[{ to: address, value: 1n, data: '0x01' }]],
      }),
    ],
    [
      'two fields of one name, each with its own value',
      'f((uint256 a,uint256 a))',
      [['1', '2']],
      encodeFunctionData({
        abi: parseAbi(['function f((uint256, uint256) pair)']),
        args: [[1n, 2n]],
      }),
    ],
    [
      'an address in capitals, which has no checksum',
      'mintTo(address,uint256)',
      [`0x${address.slice(2).toUpperCase()}`, '7'],
      encodeFunctionData({ abi, functionName: 'mintTo', args: [address, 7n] }),
    ],
    [
      'lists of lists',
      'grid(uint8[2][])',
      [
        [
          ['1', '2'],
          ['3', '4'],
        ],
      ],
      encodeFunctionData({
        abi,
        functionName: 'grid',
        args: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      }),
    ],
  ])('packs %s', (_what, abiFunctionSignature, abiParameters, data) => {
    expect(callData({ abiFunctionSignature, abiParameters })).toBe(data);
  });

  it.each<[string, string, AbiParameter]>([
    ['a fraction for a whole number', 'f(uint256)', '1.5'],
    ['an exponent for a whole number', 'f(uint256)', '1e3'],
    ['a word for a whole number', 'f(uint256)', 'many'],
    ['an empty text for a whole number', 'f(uint256)', ''],
    ['a space for a whole number', 'f(uint256)', ' '],
    ['true for a whole number', 'f(uint256)', true],
    ['a list for a whole number', 'f(uint256)', ['1']],
    ['a number that JSON has rounded', 'f(uint256)', 2 ** 60],
    ['a negative number for an unsigned one', 'f(uint256)', '-1'],
    ['a number that is too big', 'f(uint8)', '256'],
    ['a number that no word holds', 'f(uint256)', (2n ** 256n).toString()],
    ['a number too big for its sign', 'f(int256)', (2n ** 255n).toString()],
    ['a number too small for its sign', 'f(int256)', (-(2n ** 255n) - 1n).toString()],
    ['a number in a list that no word holds', 'f(uint256[])', [(2n ** 256n).toString()]],
    ['a word for true or false', 'f(bool)', 'yes'],
    ['a number for true or false', 'f(bool)', 1],
    ['a name for an address', 'f(address)', 'me'],
    ['too few bytes', 'f(bytes32)', '0x01'],
    ['no list for a list', 'f(uint256[])', '1'],
    ['too many fields for a struct', 'f((uint256,bool))', ['1', true, true]],
    ['too few fields for a struct', 'f((uint256,bool))', ['1']],
    ['too many entries for a list of a fixed length', 'f(uint256[2])', ['1', '2', '3']],
  ])('refuses %s', (_what, abiFunctionSignature, parameter) => {
    expect(() => callData({ abiFunctionSignature, abiParameters: [parameter] })).toThrow(
      /^ABI function signature can't pack ABI parameter: /,
    );
  });
});
