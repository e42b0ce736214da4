import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import type { Chain } from '../../../sandbox/chain/chain';
import { stablecoinAbi } from '../../../sandbox/chain/genesis/abi';
import { account, mineAsFaucet, mintCall, startTestChain, transferCall } from './testChain';

const signedAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function increaseAllowance(address spender, uint256 increment)',
]);
const blocked = account(41).address;
const holder = account(42).address;
const coins = ['usdc', 'eurc'] as const;
const byCoin = 'Blacklistable: account is blacklisted';
/** The words of the precompile that moves USDC on Arc. */
const byChain = 'Blocked address';

describe('a coin that has blocked an account', () => {
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
    await mineAsFaucet(
      chain,
      coins.flatMap((name) => {
        const coin = chain.contracts[name];
        const approve = (spender: Address) => ({ to: coin, value: 0n, data: approval(spender) });
        return [
          ...[holder, blocked, faucet].map((to) => mintCall(coin, { to, amount: 9n })),
          ...[blocked, holder].map(approve),
          faucetCall(coin, 'blacklist'),
        ];
      }),
    );
  });
  const approval = (spender: Address) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] });
  const useAllowance = (from: Address, to: Address) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from, to, 1n] });
  const pay = (coin: Address, to: Address) => transferCall(coin, { to, amount: 1n }).data;
  const signedPayment = (from: Address, to: Address) =>
    encodeFunctionData({
      abi: signedAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, 1n, 0n, 2n ** 48n, `0x${'01'.repeat(32)}`, '0x'],
    });
  const ask = (coin: Address, from: Address, data: Hex) =>
    chain.client.call({ account: from, to: coin, data });

  it.each([
    ['usdc', byChain],
    ['eurc', byCoin],
  ] as const)('moves none of its %s from or to it', async (name, words) => {
    const coin = chain.contracts[name];
    await expect(ask(coin, holder, pay(coin, blocked))).rejects.toThrow(words);
    await expect(ask(coin, blocked, pay(coin, holder))).rejects.toThrow(words);
    await expect(ask(coin, holder, useAllowance(faucet, blocked))).rejects.toThrow(words);
    await expect(
      ask(coin, faucet, mintCall(coin, { to: blocked, amount: 1n }).data),
    ).rejects.toThrow(words);
  });

  it.each(coins)(
    'lets it use no allowance of %s, and take part in no signed payment',
    async (name) => {
      const coin = chain.contracts[name];
      await expect(ask(coin, blocked, useAllowance(faucet, holder))).rejects.toThrow(byCoin);
      await expect(ask(coin, holder, signedPayment(holder, blocked))).rejects.toThrow(byCoin);
      await expect(ask(coin, holder, signedPayment(blocked, holder))).rejects.toThrow(byCoin);
    },
  );

  it.each(coins)('lets it give and get allowances of %s, which move nothing', async (name) => {
    const coin = chain.contracts[name];
    const more = encodeFunctionData({
      abi: signedAbi,
      functionName: 'increaseAllowance',
      args: [holder, 1n],
    });
    await expect(ask(coin, blocked, approval(holder))).resolves.toBeDefined();
    await expect(ask(coin, holder, approval(blocked))).resolves.toBeDefined();
    await expect(ask(coin, blocked, more)).resolves.toBeDefined();
  });

  it('takes it as any other once it is blocked no more', async () => {
    const { usdc } = chain.contracts;
    await mineAsFaucet(chain, [faucetCall(usdc, 'unBlacklist')]);
    await expect(ask(usdc, blocked, useAllowance(faucet, holder))).resolves.toBeDefined();
    await expect(ask(usdc, holder, pay(usdc, blocked))).resolves.toBeDefined();
  });

  it('is told so by its owner alone', async () => {
    for (const functionName of ['blacklist', 'unBlacklist'] as const) {
      const { data } = faucetCall(chain.contracts.usdc, functionName);
      await expect(ask(chain.contracts.usdc, holder, data)).rejects.toThrow(
        'caller is not the owner',
      );
    }
  });
});

it('EURC takes no coin for itself, which nobody could move from there', async () => {
  const chain = await startTestChain();
  const { usdc, eurc } = chain.contracts;
  const mints = [usdc, eurc].map((coin) => mintCall(coin, { to: holder, amount: 9n }));
  await mineAsFaucet(chain, mints);
  const toItself = (coin: Address) =>
    chain.client.call({
      account: holder,
      to: coin,
      data: transferCall(coin, { to: coin, amount: 1n }).data,
    });
  await expect(toItself(eurc)).rejects.toThrow(byCoin);
  await expect(toItself(usdc)).resolves.toBeDefined();
});
