import { decodeFunctionData, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem';
import { encodeCall } from '../../src/custody/abi/callData';
import { functionOf } from '../../src/custody/abi/functionOf';
import {
  type BatchCall,
  type BatchedPayment,
  batchCall,
  batchIn,
  isAtomic,
  itemOfBatch,
  markOf,
  memoIdOf,
  multicallFrom,
  paymentData,
} from '../../src/custody/batch';
import { memoContract, memoSignature } from '../../src/custody/memo';
import { readBatches, readReference, refId } from '../../src/custody/reference';
import { usdc } from '../support/sandbox';

const workflowId = 'payout:2026-01';
const walletId = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
const accounts = {
  EOA: { address: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d', accountType: 'EOA' },
  SCA: { address: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d', accountType: 'SCA' },
};

function payment(change: Partial<BatchedPayment> = {}): BatchedPayment {
  const mark = markOf(workflowId, 'a-1', 0);
  return { to: `0x${'ab'.repeat(20)}`, baseUnits: '12500000', mark, ...change };
}

const two = [payment(), payment({ baseUnits: '1', mark: markOf(workflowId, 'a-2', 0) })];
const batch = { walletId, tokenAddress: usdc, payments: two };

/** The calls inside a call of many. */
function callsIn({ abiParameters: [calls] }: BatchCall): (string | boolean)[][] {
  return Array.isArray(calls) ? calls : [];
}

const erc20 = parseAbi(['function transfer(address to, uint256 amount)']);

describe('the call of a batch', () => {
  test.each(['EOA', 'SCA'] as const)(
    'of type %s has each transfer with the mark of its line',
    (type) => {
      const call = batchCall(accounts[type], batch, { mayFail: true });
      const calls = callsIn(call);
      const contract = type === 'SCA' ? accounts.SCA.address : multicallFrom;
      expect(call.contractAddress).toBe(contract);
      for (const [at, [target, middle, data]] of calls.entries()) {
        const { to = '0x', baseUnits = '', mark = '' } = two[at] ?? {};
        expect([target, middle]).toEqual([usdc, type === 'SCA' ? '0' : true]);
        const args = [`0x${to.slice(2)}`, BigInt(baseUnits)] as const;
        const plain = encodeFunctionData({ abi: erc20, functionName: 'transfer', args });
        expect(data).toBe(plain + mark);
        expect(decodeFunctionData({ abi: erc20, data: `0x${String(data).slice(2)}` }).args).toEqual(
          [expect.stringMatching(/^0x(ab){20}$/i), BigInt(baseUnits)],
        );
      }
    },
  );

  test.each(['EOA', 'SCA'] as const)('of type %s can be encoded as its signature says', (type) => {
    const { abiFunctionSignature, abiParameters } = batchCall(accounts[type], batch, {
      mayFail: false,
    });
    const abi = functionOf(abiFunctionSignature);
    expect(abi && encodeCall(abi, abiParameters)).toMatch(/^0x[0-9a-f]{8}/);
  });

  test.each(['EOA', 'SCA'] as const)(
    'of type %s is read back from a record, in any case of letters',
    (type) => {
      const call = batchCall(accounts[type], batch, { mayFail: true });
      const record = JSON.parse(JSON.stringify({ walletId, ...call }));
      expect(batchIn(record)).toEqual({ ...batch, payments: two });
      const shouted = record.abiParameters[0].map((one: string[]) => [
        one[0]?.toUpperCase().replace('0X', '0x'),
        ...one.slice(1),
      ]);
      expect(batchIn({ ...record, abiParameters: [shouted] })).toEqual(batch);
    },
  );

  test.each([
    ['another function', { abiFunctionSignature: 'aggregate3((address,bool,bytes))' }],
    ['another contract', { contractAddress: usdc }],
    ['no parameters', { abiParameters: null }],
    [
      'a payment without a mark',
      { abiParameters: [[[usdc, true, `0xa9059cbb${'0'.repeat(128)}`]]] },
    ],
    ['a call that is no transfer', { abiParameters: [[[usdc, true, '0x095ea7b3']]] }],
    ['no calls', { abiParameters: [[]] }],
    ['something else than calls', { abiParameters: [[5, null]] }],
  ])('is not read from a record with %s', (_, change) => {
    const call = batchCall(accounts.EOA, batch, { mayFail: true });
    expect(batchIn({ walletId, ...call, ...change })).toBeUndefined();
  });

  test('is not read from a record with two tokens', () => {
    const call = batchCall(accounts.EOA, batch, { mayFail: true });
    const [one = [], other = []] = callsIn(call);
    const mixed = [[one, [`0x${'12'.repeat(20)}`, ...other.slice(1)]]];
    expect(batchIn({ walletId, ...call, abiParameters: mixed })).toBeUndefined();
  });
});

describe('the call of a batch with memos', () => {
  const noted = two.map((one, at) => ({ ...one, mark: memoIdOf(workflowId, `a-${at + 1}`, 0) }));
  const memoAbi = parseAbi(['function memo(address,bytes,bytes32,bytes)']);

  test('has each transfer inside a call of Memo, with the hash that its mark begins', () => {
    const call = batchCall(accounts.EOA, { ...batch, payments: noted }, { mayFail: true });
    expect(call.contractAddress).toBe(multicallFrom);
    for (const [at, [target, mayFail, whole]] of callsIn(call).entries()) {
      const { to, baseUnits, mark } = noted[at] ?? payment();
      expect([target, mayFail]).toEqual([memoContract, true]);
      const bytes: Hex = `0x${String(whole).slice(2)}`;
      const data: Hex = `0x${paymentData({ to, baseUnits })}`;
      const args = [getAddress(usdc), data, `0x${mark}` as Hex, '0x'] as const;
      expect(decodeFunctionData({ abi: memoAbi, data: bytes }).args).toEqual(args);
      expect(bytes).toBe(encodeFunctionData({ abi: memoAbi, args }));
      expect(mark.startsWith(markOf(workflowId, `a-${at + 1}`, 0))).toBe(true);
    }
  });

  test('is a call of Memo itself for a line that goes alone, which cannot fail alone', () => {
    const alone = { ...batch, payments: noted.slice(0, 1) };
    const call = batchCall(accounts.EOA, alone, { mayFail: true });
    const [one = payment()] = noted;
    expect(call).toEqual({
      contractAddress: memoContract,
      abiFunctionSignature: memoSignature,
      abiParameters: [usdc, `0x${paymentData(one)}`, `0x${one.mark}`, '0x'],
    });
    expect([alone.payments, noted].map((some) => isAtomic(accounts.EOA, some))).toEqual([
      true,
      false,
    ]);
    expect(isAtomic(accounts.EOA, two.slice(0, 1))).toBe(false);
  });

  test.each([1, 2])('is read back from a record with %d lines', (count) => {
    const own = { ...batch, payments: noted.slice(0, count) };
    const record = { walletId, ...batchCall(accounts.EOA, own, { mayFail: true }) };
    expect(batchIn(JSON.parse(JSON.stringify(record)))).toEqual(own);
  });

  test.each([
    ['another function', { abiFunctionSignature: 'memo(address,bytes,bytes32)' }],
    ['a text of its own', { abiParameters: [usdc, '0x', `0x${'0'.repeat(64)}`, '0x00'] }],
    ['a call that is no transfer', { abiParameters: [usdc, '0x', `0x${'0'.repeat(64)}`, '0x'] }],
    ['no parameters', { abiParameters: null }],
  ])('is not read from a record with %s', (_, change) => {
    const own = { ...batch, payments: noted.slice(0, 1) };
    const call = batchCall(accounts.EOA, own, { mayFail: true });
    expect(batchIn({ walletId, ...call, ...change })).toBeUndefined();
  });
});

describe('the item of a batch', () => {
  const item = itemOfBatch(batch);

  test.each([
    ['another wallet', { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa7777' }],
    ['another token', { tokenAddress: `0x${'12'.repeat(20)}` }],
    ['one line less', { payments: two.slice(1) }],
    ['another order of lines', { payments: [...two].reverse() }],
    ['another recipient', { payments: [payment({ to: `0x${'cd'.repeat(20)}` }), ...two.slice(1)] }],
    ['another amount', { payments: [payment({ baseUnits: '2' }), ...two.slice(1)] }],
    [
      'another attempt at a line',
      { payments: [payment({ mark: markOf(workflowId, 'a-1', 1) }), ...two.slice(1)] },
    ],
  ])('is another one with %s', (_, change) => {
    expect(itemOfBatch({ ...batch, ...change })).not.toBe(item);
  });

  test('is the same however addresses are written', () => {
    const shouted = two.map((one) => ({ ...one, to: one.to.toUpperCase().replace('0X', '0x') }));
    expect(itemOfBatch({ ...batch, payments: shouted })).toBe(item);
  });
});

test('the reference of a batch names the batch, and all batches of its payout', () => {
  const parts = { workflowId, step: 'batch', generation: 2 };
  const [one, other] = ['aa', 'bb'].map((item) => refId({ ...parts, item }));
  expect(readReference(one)?.generation).toBe(2);
  expect(readReference(one)?.hash).not.toBe(readReference(other)?.hash);
  expect(readBatches(one)).toMatch(/^[0-9a-f]{16}$/);
  expect(readBatches(one)).toBe(readBatches(other));
  expect(readBatches(refId({ ...parts, step: 'line', item: 'aa' }))).toBeUndefined();
  const elsewhere = refId({ ...parts, workflowId: 'payout:2026-02', item: 'aa' });
  expect(readBatches(elsewhere)).not.toBe(readBatches(one));
});
