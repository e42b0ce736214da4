import { encodeAbiParameters, encodeEventTopics, erc20Abi, getAddress, type Log } from 'viem';
import { type Effect, effectFaults } from '../../src/chain/effect';
import type { Execution } from '../../src/chain/execution';
import { usdc } from '../support/sandbox';

/** Logs as Arc writes them, which the sandbox's chain cannot show. */
const coinLogger = '0xfffffffffffffffffffffffffffffffffffffffe';
const from = getAddress('0x1111111111111111111111111111111111111111');
const to = getAddress('0x2222222222222222222222222222222222222222');
const million = 1_000_000n;
const coin = 10n ** 18n;
const data = '0x';

/** A Transfer, as a contract logs it. */
function log(address: string, value: bigint): Log {
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } });
  const data = encodeAbiParameters([{ type: 'uint256' }], [value]);
  return { address: getAddress(address), topics: topics as Log['topics'], data } as Log;
}

const asToken = [log(usdc, million), log(coinLogger, coin)];
const asCoin = [log(coinLogger, coin)];

function faults(
  execution: Partial<Execution>,
  fields: Partial<Effect & { kind: 'transfer' }> = {},
): string[] {
  const ordered = { tokenAddress: usdc, from, to, baseUnits: '1000000', blockchain: 'ARC-TESTNET' };
  const silent = {
    sender: from,
    success: true,
    logs: [],
    calls: undefined,
    created: false,
    fee: 0n,
  };
  return effectFaults({ kind: 'transfer', ...ordered, ...fields }, { ...silent, ...execution });
}

describe('a chain that logs each movement of its coin, and a token that is the coin', () => {
  const inCoins = { tokenAddress: '', baseUnits: coin.toString() };

  it.each([
    ['a token', asToken, [{ to: usdc, value: 0n, data }]],
    ['a token, by an account that calls in a way of its own', asToken, undefined],
    ['the coin', asCoin, [{ to, value: coin, data }]],
    ['the coin, by an account that calls in a way of its own', asCoin, undefined],
  ] as const)('counts a movement as one, sent as %s', (_, logs, calls) => {
    const moved = { logs: [...logs], calls: calls && [...calls] };
    expect(faults(moved)).toEqual([]);
    expect(faults(moved, inCoins)).toEqual([]);
    expect(faults(moved, { baseUnits: '1' })).toHaveLength(1);
    expect(faults(moved, { to: from })).toHaveLength(1);
  });

  it.each([
    ['twice as a token', [...asToken, ...asToken], [{ to: usdc, value: 0n, data }]],
    ['in both forms', asToken, [{ to, value: coin, data }]],
    ['twice as the coin', asCoin, Array(2).fill({ to, value: coin, data })],
    ['twice as the coin, unseen', [...asCoin, ...asCoin], undefined],
    ['not at all', [], [{ to: usdc, value: 0n, data }]],
    ['in part', [log(usdc, million - 1n)], undefined],
  ])('names money that has moved %s', (_, logs, calls) => {
    expect(faults({ logs, calls }, inCoins)).toEqual([
      expect.stringMatching(/^it moved .*, ordered was 1000000000000000000 base units of the/),
    ]);
  });
});

describe('a coin whose movements nobody logs', () => {
  it('is moved where the calls are not known and the operation has succeeded', () => {
    expect(faults({}, { tokenAddress: '', blockchain: 'ETH-SEPOLIA' })).toEqual([]);
  });

  it('is not moved by an operation that calls nothing', () => {
    expect(faults({ calls: [] }, { tokenAddress: '', blockchain: 'ETH-SEPOLIA' })).toEqual([
      expect.stringContaining('it moved nothing of it'),
    ]);
  });
});

describe('a transaction that moves one token very often', () => {
  it('is described in a few words', () => {
    const [fault = ''] = faults({ logs: Array(500).fill(log(usdc, 1n)) });
    expect(fault).toContain('and 497 more');
    expect(fault.length).toBeLessThan(1_000);
  });
});
