import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  parseAbi,
  parseEther,
  parseEventLogs,
  parseUnits,
  type TransactionReceipt,
} from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { Chain } from '../../../sandbox/chain/chain';
import type { WalletCall } from '../../../sandbox/chain/estimateCall';
import { multicall3FromAbi } from '../../../sandbox/chain/genesis/abi';
import { nativeMover } from '../../../sandbox/chain/genesis/contracts';
import { readBalance } from '../../../sandbox/chain/token';
import { estimateTransaction, signTransaction } from '../../../sandbox/chain/transaction';
import { readTransfers } from '../../../sandbox/chain/transfers';
import {
  account,
  fees,
  mineAsFaucet,
  mintCall,
  nextTimestampS,
  startTestChain,
  transferCall,
} from './testChain';

const holder = account(71);
const payee = account(72).address;
const loggerAbi = parseAbi(['function log(address from, address to, uint256 units)']);
/** Native units in a base unit of USDC. */
const unitsEach = 10n ** 12n;

let chain: Chain;
let usdc: Address;
beforeAll(async () => {
  chain = await startTestChain();
  usdc = chain.contracts.usdc;
  await mineAsFaucet(chain, [mintCall(usdc, { to: holder.address, amount: parseUnits('100', 6) })]);
});

const byCoin = (amount: bigint, to: Address = payee): WalletCall =>
  transferCall(usdc, { to, amount });
const byValue = (value: bigint, to: Address = payee): WalletCall => ({ to, value, data: '0x' });

/** Mines the calls of an account in one block, in their order. */
async function mine(from: LocalAccount, ...calls: WalletCall[]): Promise<TransactionReceipt[]> {
  const first = await chain.client.getTransactionCount({ address: from.address });
  const signed = await Promise.all(
    calls.map((call, index) =>
      signTransaction(chain, { account: from, call, nonce: first + index, gas: 500_000n, fees }),
    ),
  );
  const { results } = await chain.mineBlock({
    timestampS: await nextTimestampS(chain),
    transactions: signed.map(({ transaction }) => transaction),
  });
  return results.map((result) => {
    if (!result.included) throw new Error(`Not included: ${result.reason}`);
    return result.receipt;
  });
}

const native = (address: Address) => chain.client.getBalance({ address });
const coin = (owner: Address) => readBalance(chain.client, { token: usdc, owner });
const feeOf = (receipts: readonly TransactionReceipt[]) =>
  receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n);

/** Both faces of an account show this many native units. */
async function expectBoth(address: Address, units: bigint): Promise<void> {
  expect(await native(address)).toBe(units);
  expect(await coin(address)).toBe(units / unitsEach);
}

type Line = { call: WalletCall; allowFailure?: boolean };

const batch = (...lines: Line[]): WalletCall => ({
  to: chain.contracts.multicall3From,
  value: 0n,
  data: encodeFunctionData({
    abi: multicall3FromAbi,
    functionName: 'aggregate3',
    args: [
      lines.map(({ call, allowFailure = false }) => ({
        target: call.to,
        allowFailure,
        callData: call.data,
      })),
    ],
  }),
});

describe('the two faces of USDC', () => {
  // The last units of this are less than any base unit of the coin.
  const value = parseEther('0.500000000000000001');

  it.each([
    ['in one block', 73, (calls: WalletCall[]) => [calls]],
    ['in two', 74, (calls: WalletCall[]) => calls.map((call) => [call])],
  ])('agree after a payment by each %s', async (_when, number, blocksOf) => {
    const to = account(number).address;
    const before = await native(holder.address);
    const receipts: TransactionReceipt[] = [];
    for (const calls of blocksOf([byCoin(1_234_567n, to), byValue(value, to)])) {
      receipts.push(...(await mine(holder, ...calls)));
    }
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success']);
    const paid = 1_234_567n * unitsEach + value;
    await expectBoth(to, paid);
    await expectBoth(holder.address, before - paid - feeOf(receipts));
  });

  it('agree after a payment to the same account, which costs its fee alone and has one log', async () => {
    const before = await native(holder.address);
    const receipts = await mine(holder, byCoin(5_000_000n, holder.address));
    const logs = [{ address: usdc.toLowerCase() }];
    expect(receipts).toMatchObject([{ status: 'success', logs }]);
    await expectBoth(holder.address, before - feeOf(receipts));
  });

  it('pay all of a fee to the beneficiary of the block, so that no coin is lost', async () => {
    const { miner } = await chain.client.getBlock();
    const all = [holder.address, payee, miner];
    const sumOf = async () => (await Promise.all(all.map(native))).reduce((sum, one) => sum + one);
    const [before, earned] = [await sumOf(), await native(miner)];
    const receipts = await mine(holder, byCoin(3n), byValue(4n), byCoin(parseUnits('1000', 6)));
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success', 'reverted']);
    expect((await native(miner)) - earned).toBe(feeOf(receipts));
    expect(await sumOf()).toBe(before);
  });

  it('pay the fee too, so that nobody pays all that they have', async () => {
    const poor = account(70);
    await mineAsFaucet(chain, [mintCall(usdc, { to: poor.address, amount: 1_000_000n })]);
    const call = byCoin(1_000_000n);
    await expect(
      estimateTransaction(chain, { from: poor.address, call, fees }),
    ).rejects.toMatchObject({ name: 'InsufficientNativeBalanceError' });
    const receipts = await mine(poor, call);
    expect(receipts).toMatchObject([{ status: 'reverted', logs: [] }]);
    await expectBoth(poor.address, parseEther('1') - feeOf(receipts));
  });

  it('move nothing in a call that reverts, and all that others around it have paid', async () => {
    const [before, paidBefore] = [await native(holder.address), await native(payee)];
    const tooMuch = byCoin(parseUnits('1000', 6));
    const undone = batch({ call: byCoin(7n) }, { call: tooMuch });
    const receipts = await mine(
      holder,
      undone,
      batch({ call: byCoin(1n) }, { call: undone, allowFailure: true }, { call: byCoin(2n) }),
    );
    expect(receipts.map(({ status }) => status)).toEqual(['reverted', 'success']);
    await expectBoth(payee, paidBefore + 3n * unitsEach);
    await expectBoth(holder.address, before - 3n * unitsEach - feeOf(receipts));
    expect(receipts.map(({ logs }) => readTransfers(logs).map(({ counts }) => counts))).toEqual([
      [],
      [[1n], [2n]],
    ]);
  });

  it('are told of by two logs, in native units and then in those of the coin', async () => {
    const [receipt] = await mine(holder, byCoin(9n));
    const logs = parseEventLogs({ abi: erc20Abi, logs: receipt?.logs ?? [] });
    const between = { from: holder.address, to: payee };
    const system = chain.contracts.nativeLogger.toLowerCase();
    expect(logs).toMatchObject([
      { logIndex: 0, address: system, args: { ...between, value: 9n * unitsEach } },
      { logIndex: 1, address: usdc.toLowerCase(), args: { ...between, value: 9n } },
    ]);
  });

  it('have nobody else move them: the precompile and the log are for USDC alone', async () => {
    const direct = batch({ call: { to: nativeMover, value: 0n, data: '0x' }, allowFailure: true });
    const { data = '0x' } = await chain.client.call({ account: holder.address, ...direct });
    expect(Buffer.from(data.slice(2), 'hex').toString()).toContain('only USDC may call 0xfd');
    const log = chain.client.simulateContract({
      account: holder.address,
      address: chain.contracts.nativeLogger,
      abi: loggerAbi,
      functionName: 'log',
      args: [payee, holder.address, 1n],
    });
    await expect(log).rejects.toThrow('native: only USDC tells of others');
  });
});
