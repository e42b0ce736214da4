import { encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, type Log } from 'viem';
import { type BatchEffect, paidBy } from '../../src/chain/batchEffect';
import { usdc } from '../support/sandbox';

const account = (digit: string): Hex => `0x${digit.repeat(40)}`;
const from = account('f');

/** A log of a transfer, as the token writes it. */
function moved(to: string, units: bigint, change: { sender?: Hex; token?: Hex } = {}): Log {
  const { sender = from, token = usdc } = change;
  const args = { from: sender, to: account(to) };
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args });
  const data = encodeAbiParameters([{ type: 'uint256' }], [units]);
  return { address: token, topics, data } as unknown as Log;
}

const effect: BatchEffect = {
  kind: 'batch',
  tokenAddress: usdc,
  from,
  payments: [
    { to: account('1'), baseUnits: '10' },
    { to: account('2'), baseUnits: '20' },
    { to: account('1'), baseUnits: '30' },
  ],
  isWhole: false,
};
const all = [moved('1', 10n), moved('2', 20n), moved('1', 30n)];

describe('the payments of a batch', () => {
  test('are proven by one log each, in any order', () => {
    expect(paidBy(effect, { logs: [...all].reverse() })).toMatchObject({ faults: [], unpaid: [] });
  });

  test('lack those that have no log', () => {
    expect(paidBy(effect, { logs: all.slice(1) })).toMatchObject({ faults: [], unpaid: [0] });
    expect(paidBy(effect, { logs: [] })).toMatchObject({ faults: [], unpaid: [0, 1, 2] });
  });

  test('are not proven by logs of other accounts or other tokens', () => {
    const other = [
      moved('1', 10n, { sender: account('e') }),
      moved('1', 10n, { token: account('3') }),
    ];
    expect(paidBy(effect, { logs: [...other, ...all.slice(1)] })).toMatchObject({
      faults: [],
      unpaid: [0],
    });
  });

  test.each([
    ['a second log of one payment', [...all, moved('1', 10n)]],
    ['a fee on a transfer', [moved('1', 9n), ...all.slice(1)]],
    ['a movement to somebody else', [...all, moved('9', 1n)]],
  ])('contradict the chain with %s', (_, logs) => {
    const { faults } = paidBy(effect, { logs });
    expect(faults).toEqual([expect.stringContaining('which is none of its lines')]);
  });

  test('are all there or none where a smart account makes them', () => {
    const whole = { ...effect, isWhole: true };
    expect(paidBy(whole, { logs: all }).faults).toEqual([]);
    expect(paidBy(whole, { logs: all.slice(1) }).faults).toEqual(['it lacks 1 of its 3 payments']);
  });
});
