import { parseAbiItem } from 'viem';
import { functionOf } from '../../../src/custody/abi/functionOf';

const tupleIn = (levels: number) => `f(${'('.repeat(levels)}uint8${')'.repeat(levels)})`;

test.each([
  ...['f()', 'mintTo(address,uint256)', '$a_1(uint,int,bytes32,bytes,string,bool,function)'],
  ...['f((address,uint256,bytes)[],bool)', 'f(uint8[2][],(uint8,(int24,string)[3])[])'],
  ...['f() view returns (uint8,(bool,string)[])', 'f(uint8) external payable returns(bytes1)'],
  ...['f(uint8) pure', 'f(address payable) public nonpayable', 'f(uint256[0], bytes[10])'],
])('%s is read as the library for ABIs reads it', (signature) => {
  expect(functionOf(signature)).toEqual(parseAbiItem(`function ${signature}`));
});

test('names of parameters are left out, since two of them may be the same', () => {
  const named = 'f((address who, uint8[2] who)[] calldata list, string memory, address payable to)';
  expect(functionOf(`${named} returns (bool isDone)`)).toEqual(
    functionOf('f((address,uint8[2])[],string,address) returns (bool)'),
  );
});

test.each([
  ...[
    '',
    'f',
    'f(',
    'f)',
    'f()()',
    'f(uint8',
    'f(uint8))',
    'f(uint8)(uint8)',
    ' f()',
    'f() ',
    '1()',
  ],
  ...[
    'f(,)',
    'f(uint8,)',
    'f( )',
    'f(())',
    'f((uint8)(uint8))',
    'f(uint8)),((uint8)',
    'f(\nuint8)',
  ],
  ...['f(adress)', 'f(uint7)', 'f(uint264)', 'f(bytes33)', 'f(bytes0)', 'f(tuple)', 'f(uint8[01])'],
  // Words that every object of JavaScript has.
  ...['f(constructor)', 'f(hasOwnProperty,uint256)', 'f(__proto__)', 'f(valueOf[])'],
  ...['f() returns (uint8) returns (uint8)', 'f() view pure', 'event f()', 'f(uint8 indexed a)'],
  tupleIn(16),
  tupleIn(470),
  `f(uint8${'[]'.repeat(16)})`,
  `f(${'(uint8)[1],'.repeat(100)}uint8)`,
])('%s is no signature of a function', (signature) => {
  expect(functionOf(signature)).toBeUndefined();
});

test('a type has as many levels as a decoder reads, and no more', () => {
  expect(functionOf(tupleIn(15))).toEqual(parseAbiItem(`function ${tupleIn(15)}`));
  expect(functionOf(`f((uint8${'[]'.repeat(14)})[])`)).toBeUndefined();
  expect(functionOf(`f((uint8${'[]'.repeat(13)})[])`)).toBeDefined();
});
