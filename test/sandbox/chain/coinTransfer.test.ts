import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  maxUint128,
  slice,
  zeroAddress,
} from 'viem';
import type { Chain } from '../../../sandbox/chain/chain';
import { coinTransferGas, gasOfCoinTransfer, spentBy } from '../../../sandbox/chain/coinTransfer';
import { estimateCall } from '../../../sandbox/chain/estimateCall';
import { multicall3FromAbi } from '../../../sandbox/chain/genesis/abi';
import { createHoldings } from '../../../sandbox/chain/holdings';
import { sharedCalls } from '../../support/chain/sharedCalls';
import { account, mineAsFaucet, mintCall, startTestChain, transferCall } from './testChain';

let chain: Chain;
beforeAll(async () => {
  chain = await startTestChain();
});

describe('the gas of a transfer of a coin', () => {
  const from = account(31).address;
  // No byte of it is zero, and bytes that are not zero cost more.
  const to = '0xffffffffffffffffffffffffffffffffffffffff';
  // All that the mint has of USDC is about a hundred times as much.
  const usdcHeld = 2n ** 53n - 1n;
  let coins: { coin: Address; held: bigint }[];
  beforeAll(async () => {
    const { usdc, eurc } = chain.contracts;
    coins = [
      { coin: usdc, held: usdcHeld },
      { coin: eurc, held: maxUint128 },
    ];
    await mineAsFaucet(
      chain,
      coins.map(({ coin, held }) => mintCall(coin, { to: from, amount: held })),
    );
  });
  const known = (call: Parameters<typeof gasOfCoinTransfer>[1]['call']) =>
    gasOfCoinTransfer(chain, { call, held: createHoldings(chain, from) });

  it('is known without an estimate, and enough', async () => {
    for (const { coin, held } of coins) {
      const call = transferCall(coin, { to, amount: held - 1n });
      expect(await known(call)).toBe(coinTransferGas);
      expect(await estimateCall(chain, { from, call })).toBeLessThanOrEqual(coinTransferGas);
    }
  });

  it('is refused as the estimate is, when there is too little', async () => {
    const call = transferCall(chain.contracts.usdc, { to, amount: usdcHeld + 1n });
    const refusal = await estimateCall(chain, { from, call }).catch(({ message }) => message);
    await expect(known(call)).rejects.toThrow(refusal);
  });

  it('is not known of any other call', async () => {
    const call = transferCall(chain.contracts.usdc, { to, amount: 1n });
    expect(await known({ ...call, value: 1n })).toBeUndefined();
    expect(await known({ ...call, to: from })).toBeUndefined();
    expect(await known({ ...call, data: `${call.data}00` })).toBeUndefined();
  });

  it('is not known where it goes to no address, which the estimate refuses', async () => {
    const { usdc } = chain.contracts;
    const toZero = transferCall(usdc, { to: zeroAddress, amount: 1n });
    const { data } = transferCall(usdc, { to, amount: 1n });
    const toLonger = { ...toZero, data: concat([slice(data, 0, 4), '0x01', slice(data, 5)]) };
    for (const call of [toZero, toLonger]) {
      expect(await known(call)).toBeUndefined();
      await expect(estimateCall(chain, { from, call })).rejects.toThrow('The call reverts');
    }
  });
});

it('what a batch spends is known, unless its calls share bytes', () => {
  const { usdc, multicall3From } = chain.contracts;
  const { data: callData } = transferCall(usdc, { to: account(32).address, amount: 3n });
  const call = { target: usdc, allowFailure: false, callData };
  const batchOf = (count: number) =>
    encodeFunctionData({
      abi: multicall3FromAbi,
      functionName: 'aggregate3',
      args: [Array.from({ length: count }, () => call)],
    });
  const spent = (data: Hex) => spentBy(chain, { to: multicall3From, value: 5n, data });
  expect(spent(batchOf(2))).toBe(5n + 6n * 10n ** 12n);
  expect(spent(sharedCalls(batchOf(1)))).toBe(5n);
});
