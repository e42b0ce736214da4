import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  parseAbi,
  parseUnits,
  zeroAddress,
} from 'viem';
import type { Chain } from '../../../sandbox/chain/chain';
import { readBalance } from '../../../sandbox/chain/token';
import { signTransaction } from '../../../sandbox/chain/transaction';
import { account, fees, mineAsFaucet, mintCall, nextTimestampS, startTestChain } from './testChain';

const abi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
]);
const holder = account(91);
const [one, other] = [account(92).address, account(93).address];

describe('Multicall3 at its usual address', () => {
  let chain: Chain;
  let usdc: Address;
  beforeAll(async () => {
    chain = await startTestChain();
    usdc = chain.contracts.usdc;
    const mint = mintCall(usdc, { to: holder.address, amount: parseUnits('5', 6) });
    await mineAsFaucet(chain, [mint]);
  });
  afterAll(() => chain.stop());

  /** Mines a payment of values to accounts, with this many units on the way. */
  async function pay(value: bigint, ...lines: [target: Address, value: bigint][]) {
    const calls = lines.map(([target, units]) => {
      return { target, allowFailure: false, value: units, callData: '0x' } as const;
    });
    const data = encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [calls] });
    const nonce = await chain.client.getTransactionCount({ address: holder.address });
    const call = { to: chain.contracts.multicall3, value, data };
    const signed = await signTransaction(chain, {
      account: holder,
      call,
      nonce,
      gas: 300_000n,
      fees,
    });
    const timestampS = await nextTimestampS(chain);
    const { results } = await chain.mineBlock({ timestampS, transactions: [signed.transaction] });
    return results.map((result) => result.included && result.receipt.status);
  }

  it('answers many reads in one call, and tells which of them has failed', async () => {
    const balance = { address: usdc, abi: erc20Abi, functionName: 'balanceOf' } as const;
    const multicallAddress = chain.contracts.multicall3;
    const contracts = [
      { ...balance, args: [holder.address] },
      { ...balance, address: holder.address, args: [holder.address] },
      { address: usdc, abi: erc20Abi, functionName: 'decimals' },
    ] as const;
    expect(await chain.client.multicall({ multicallAddress, contracts })).toMatchObject([
      { status: 'success', result: parseUnits('5', 6) },
      { status: 'failure' },
      { status: 'success', result: 6 },
    ]);
  });

  it('pays several accounts in native coins, or none if the values do not add up', async () => {
    expect(await pay(10n, [one, 3n], [other, 6n])).toEqual(['reverted']);
    expect(await chain.client.getBalance({ address: one })).toBe(0n);
    expect(await pay(9n * 10n ** 12n, [one, 3n * 10n ** 12n], [other, 6n * 10n ** 12n])).toEqual([
      'success',
    ]);
    const held = [one, other].map((owner) => readBalance(chain.client, { token: usdc, owner }));
    expect(await Promise.all(held)).toEqual([3n, 6n]);
  });

  it('pays no native coin to the zero address', async () => {
    expect(await pay(5n, [zeroAddress, 5n])).toEqual(['reverted']);
    expect(await pay(0n, [zeroAddress, 0n])).toEqual(['success']);
  });
});
