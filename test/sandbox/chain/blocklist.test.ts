import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import type { Chain } from '../../../sandbox/chain/chain';
import { stablecoinAbi } from '../../../sandbox/chain/genesis/abi';
import { account, mineAsFaucet, mintCall, startTestChain } from './testChain';

describe('a coin that has blocked an account', () => {
  const blocked = account(41).address;
  const holder = account(42).address;
  const faucetCall = (to: Address, functionName: 'blacklist' | 'unBlacklist') => ({
    to,
    value: 0n,
    data: encodeFunctionData({ abi: stablecoinAbi, functionName, args: [blocked] }),
  });
  let chain: Chain;
  let faucet: Address;
  beforeAll(async () => {
    chain = await startTestChain();
    faucet = chain.operators.faucet.address;
    const { usdc } = chain.contracts;
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [blocked, 5n],
    });
    await mineAsFaucet(chain, [
      mintCall(usdc, { to: holder, amount: 9n }),
      mintCall(usdc, { to: faucet, amount: 9n }),
      { to: usdc, value: 0n, data },
    ]);
  });
  const ask = (from: Address, data: `0x${string}`) =>
    chain.client.call({ account: from, to: chain.contracts.usdc, data });
  const useAllowance = () =>
    ask(
      blocked,
      encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transferFrom',
        args: [faucet, holder, 1n],
      }),
    );
  const approve = (from: Address, spender: Address) =>
    ask(from, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 1n] }));

  it('lets it use no allowance, nor give or get one, until it is blocked no more', async () => {
    const { usdc } = chain.contracts;
    const all = [useAllowance, () => approve(blocked, holder), () => approve(holder, blocked)];
    for (const one of all) await expect(one()).resolves.toBeDefined();
    await mineAsFaucet(chain, [faucetCall(usdc, 'blacklist')]);
    for (const one of all) await expect(one()).rejects.toThrow('account is blacklisted');
    await expect(approve(holder, faucet)).resolves.toBeDefined();
    await mineAsFaucet(chain, [faucetCall(usdc, 'unBlacklist')]);
    for (const one of all) await expect(one()).resolves.toBeDefined();
  });

  it('is told so by its owner alone', async () => {
    for (const functionName of ['blacklist', 'unBlacklist'] as const) {
      const { data } = faucetCall(chain.contracts.usdc, functionName);
      await expect(ask(holder, data)).rejects.toThrow('caller is not the owner');
    }
  });
});
