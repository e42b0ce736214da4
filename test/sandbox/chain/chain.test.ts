import { parseEther } from 'viem';
import { entryPoint06Address } from 'viem/account-abstraction';
import type { Chain } from '../../../sandbox/chain/chain';
import { paymasterAbi } from '../../../sandbox/chain/genesis/abi';
import { readBalance, readTokenFacts } from '../../../sandbox/chain/token';
import { signTransaction } from '../../../sandbox/chain/transaction';
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

describe('startChain', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await startTestChain();
  });
  afterAll(() => chain.stop());

  it('has the chain id of Arc testnet and its lowest base fee', async () => {
    expect(await chain.client.getChainId()).toBe(5_042_002);
    expect((await chain.client.getBlock()).baseFeePerGas).toBe(20_000_000_000n);
  });

  it('puts the entry point at its canonical address, and code at every other', async () => {
    const { templates, ...contracts } = chain.contracts;
    expect(contracts.entryPoint).toBe(entryPoint06Address);
    for (const address of [...Object.values(contracts), ...Object.values(templates)]) {
      expect(await chain.client.getCode({ address })).toMatch(/^0x.{100}/);
    }
  });

  it('has the coins at the addresses of Arc testnet, with six decimals', async () => {
    const { usdc, eurc } = chain.contracts;
    expect(usdc).toBe('0x3600000000000000000000000000000000000000');
    expect(eurc).toBe('0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a');
    const facts = { standard: 'ERC20', decimals: 6 };
    expect(await readTokenFacts(chain.client, usdc)).toMatchObject({ ...facts, symbol: 'USDC' });
    expect(await readTokenFacts(chain.client, eurc)).toMatchObject({ ...facts, symbol: 'EURC' });
  });

  it('lets the paymaster pay for very many operations', async () => {
    const deposit = await chain.client.readContract({
      address: chain.contracts.paymaster,
      abi: paymasterAbi,
      functionName: 'getDeposit',
    });
    expect(deposit).toBeGreaterThan(parseEther('1000000'));
  });

  it('unlocks no account: whoever sends has to sign', async () => {
    const call = { method: 'eth_accounts', params: [] };
    expect(await chain.ask([call])).toEqual([{ ok: true, result: [] }]);
  });

  it('mints a stablecoin to a holder, who can pass it on, and pays for that with it', async () => {
    const { usdc } = chain.contracts;
    const [holder, receiver] = [account(1), account(2)];
    await mineAsFaucet(chain, [mintCall(usdc, { to: holder.address, amount: 5_000_000n })]);
    const { transaction } = await signTransaction(chain, {
      account: holder,
      call: transferCall(usdc, { to: receiver.address, amount: 2_000_000n }),
      nonce: 0,
      gas: 100_000n,
      fees,
    });
    const timestampS = await nextTimestampS(chain);
    const { results } = await chain.mineBlock({ timestampS, transactions: [transaction] });
    const [result] = results;
    if (!result?.included) throw new Error('Not included.');
    const { logs, gasUsed, effectiveGasPrice } = result.receipt;
    expect(readTransfers(logs)).toMatchObject([
      { token: usdc, from: holder.address, to: receiver.address, counts: [2_000_000n] },
    ]);
    const left = parseEther('3') - gasUsed * effectiveGasPrice;
    expect(await chain.client.getBalance({ address: holder.address })).toBe(left);
    expect(await readBalance(chain.client, { token: usdc, owner: receiver.address })).toBe(
      2_000_000n,
    );
  });
});

describe('two chains', () => {
  it('are the same with the same seed, and have other operators with another', async () => {
    const chains = await Promise.all([
      startTestChain(),
      startTestChain(),
      startTestChain({ seed: `0x${'60'.repeat(32)}` }),
    ]);
    const [first, second, other] = await Promise.all(
      chains.map(async ({ client, contracts, operators }) => ({
        hash: (await client.getBlock()).hash,
        contracts,
        bundler: operators.bundler.address,
      })),
    );
    expect(second).toEqual(first);
    expect(other?.bundler).not.toBe(first?.bundler);
    expect(other?.contracts).toEqual({
      ...first?.contracts,
      paymaster: other?.contracts.paymaster,
    });
    await Promise.all(chains.map((chain) => chain.stop()));
  });
});
