import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseEventLogs,
} from 'viem';
import type { Chain } from '../../../sandbox/chain/chain';
import { signTransaction } from '../../../sandbox/chain/transaction';
import { account, fees, mineAsFaucet, mintCall, nextTimestampS, startTestChain } from './testChain';

const [holder, spender] = [account(51), account(52)];
const payee = account(53).address;

describe.each(['usdc', 'eurc'] as const)('an allowance of %s', (name) => {
  let chain: Chain;
  let coin: Address;
  beforeAll(async () => {
    chain = await startTestChain();
    coin = chain.contracts[name];
    const { usdc } = chain.contracts;
    const all = [holder, spender].flatMap(({ address: to }) => [
      mintCall(usdc, { to, amount: 5_000_000n }),
      mintCall(coin, { to, amount: 5_000_000n }),
    ]);
    await mineAsFaucet(chain, all);
  });

  /** Mines a call of the coin, which must succeed. Returns what the coin tells of it. */
  async function mine(by: typeof holder, data: Hex) {
    const nonce = await chain.client.getTransactionCount({ address: by.address });
    const call = { to: coin, value: 0n, data };
    const signed = await signTransaction(chain, { account: by, call, nonce, gas: 300_000n, fees });
    const timestampS = await nextTimestampS(chain);
    const { results } = await chain.mineBlock({ timestampS, transactions: [signed.transaction] });
    expect(results).toMatchObject([{ included: true, receipt: { status: 'success' } }]);
    const logs = results.flatMap((one) => (one.included ? one.receipt.logs : []));
    const own = logs.filter(({ address }) => address === coin.toLowerCase());
    return parseEventLogs({ abi: erc20Abi, logs: own }).map(({ eventName }) => eventName);
  }

  const approve = (amount: bigint) =>
    mine(
      holder,
      encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [spender.address, amount],
      }),
    );
  const spending = (amount: bigint) =>
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [holder.address, payee, amount],
    });
  const left = () =>
    chain.client.readContract({
      address: coin,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [holder.address, spender.address],
    });

  it('is less by each use, also the largest that there is, and the use tells of no approval', async () => {
    expect(await approve(maxUint256)).toEqual(['Approval']);
    expect(await mine(spender, spending(7n))).toEqual(['Transfer']);
    expect(await left()).toBe(maxUint256 - 7n);
  });

  it('pays no more than is left of it', async () => {
    await approve(9n);
    await mine(spender, spending(4n));
    const tooMuch = chain.client.call({ account: spender.address, to: coin, data: spending(6n) });
    await expect(tooMuch).rejects.toThrow('ERC20: transfer amount exceeds allowance');
    expect(await left()).toBe(5n);
  });
});
