import { encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem';
import { marksIn } from '../../../src/books/chain/marks';
import type { Mined } from '../../../src/chain/execution';
import { batchCall, markOf, memoIdOf } from '../../../src/custody/batch';

const wallet = '0x00000000000000000000000000000000000000a1';
const token = '0x3600000000000000000000000000000000000000';
const payees = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);

/** A transaction of the wallet that pays two lines, with marks or with memos. */
function batchOf(nameOf: typeof markOf, count: number): Mined {
  const payments = payees.slice(0, count).map((to, at) => {
    return { to, baseUnits: `${at + 1}`, mark: nameOf('payout:x', `line-${at}`, 3) };
  });
  const account = { address: wallet, accountType: 'EOA' };
  const call = batchCall(account, { tokenAddress: token, payments }, { mayFail: true });
  const abi = parseAbi([`function ${call.abiFunctionSignature}` as 'function x(uint256)']);
  const [{ name } = { name: '' }] = abi;
  const args = call.abiParameters as unknown as readonly [bigint];
  const input: Hex = encodeFunctionData({ abi, functionName: name as 'x', args });
  const transaction = { from: wallet, to: getAddress(call.contractAddress), input };
  return { transaction } as unknown as Mined;
}

function marked(count: number) {
  return payees.slice(0, count).map((to, at) => {
    const mark = markOf('payout:x', `line-${at}`, 3);
    return { wallet, token, to, units: BigInt(at + 1), mark };
  });
}

describe('the marks in the bytes of a transaction', () => {
  it.each([
    ['of many payments', markOf, 2],
    ['of many payments with memos', memoIdOf, 2],
    ['of one payment with a memo', memoIdOf, 1],
  ] as const)('are found: %s', (_, nameOf, count) => {
    expect(marksIn(batchOf(nameOf, count), [], new Set([wallet]))).toEqual(marked(count));
  });

  it('are those of watched wallets alone', () => {
    expect(marksIn(batchOf(markOf, 2), [], new Set([payees[0] ?? '']))).toEqual([]);
  });

  it.each(['0x', '0x82ad56cb', `0x82ad56cb${'f'.repeat(64)}`] as const)(
    'are none in the bytes %s',
    (input) => {
      const { transaction } = batchOf(markOf, 2);
      const mined = { transaction: { ...transaction, input } } as unknown as Mined;
      expect(marksIn(mined, [], new Set([wallet]))).toEqual([]);
    },
  );
});
