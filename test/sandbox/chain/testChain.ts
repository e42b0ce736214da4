import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { signBundle } from '../../../sandbox/chain/account/bundle';
import type { SignedUserOperation } from '../../../sandbox/chain/account/userOperation';
import { type Chain, type ChainOptions, startChain } from '../../../sandbox/chain/chain';
import type { Fees, WalletCall } from '../../../sandbox/chain/estimateCall';
import { stablecoinAbi } from '../../../sandbox/chain/genesis/abi';
import { loadArtifacts } from '../../../sandbox/chain/genesis/artifacts';
import { readOutcomes, type UserOperationOutcome } from '../../../sandbox/chain/readOutcomes';
import { signTransaction } from '../../../sandbox/chain/transaction';

export const seed: Hex = `0x${'5f'.repeat(32)}`;
export const fees: Fees = { maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 1_000_000n };
export const cacheFolder = join(tmpdir(), 'steadfast-test-contracts');

const started: Chain[] = [];
// A test that fails half-way must not leave a node, which would keep the tests from ending.
afterAll(() => Promise.all(started.splice(0).map((chain) => chain.stop())));

/** A chain with all defaults. What is compiled is kept from one run of the tests to the next. */
export async function startTestChain(options: Partial<ChainOptions> = {}): Promise<Chain> {
  const artifacts = await loadArtifacts(cacheFolder);
  const chain = await startChain({ seed, artifacts, ...options });
  started.push(chain);
  return chain;
}

/** The same account for the same number. */
export function account(number: number): LocalAccount {
  return privateKeyToAccount(`0x${number.toString(16).padStart(64, '0')}`);
}

/** A time after every block so far. */
export async function nextTimestampS(chain: Chain): Promise<number> {
  return Number((await chain.client.getBlock()).timestamp) + 1;
}

/** Signs calls of the faucet with its next nonces and mines them. All of them have to succeed. */
export async function mineAsFaucet(chain: Chain, calls: WalletCall[]): Promise<void> {
  const { faucet } = chain.operators;
  const first = await chain.client.getTransactionCount({ address: faucet.address });
  const signed = await Promise.all(
    calls.map((call, index) =>
      signTransaction(chain, { account: faucet, call, nonce: first + index, gas: 300_000n, fees }),
    ),
  );
  const { results } = await chain.mineBlock({
    timestampS: await nextTimestampS(chain),
    transactions: signed.map(({ transaction }) => transaction),
  });
  for (const result of results) {
    if (!result.included || result.receipt.status !== 'success') throw new Error('Not funded.');
  }
}

/** The faucet's call that creates coins. */
export function mintCall(
  coin: Address,
  { to, amount }: { to: Address; amount: bigint },
): WalletCall {
  const data = encodeFunctionData({ abi: stablecoinAbi, functionName: 'mint', args: [to, amount] });
  return { to: coin, value: 0n, data };
}

/** A holder's call that moves coins. */
export function transferCall(
  coin: Address,
  { to, amount }: { to: Address; amount: bigint },
): WalletCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  return { to: coin, value: 0n, data };
}

/** A call that moves a thousand of the native coin. */
export function fundCall(to: Address): WalletCall {
  return { to, value: parseEther('1000'), data: '0x' };
}

/** Mines the operations in one bundle and returns what became of each. */
export async function mineOperations(
  chain: Chain,
  signed: SignedUserOperation[],
): Promise<UserOperationOutcome[]> {
  const { bundler } = chain.operators;
  const bundle = await signBundle(chain, {
    userOperations: signed.map(({ userOperation }) => userOperation),
    nonce: await chain.client.getTransactionCount({ address: bundler.address }),
    fees,
  });
  const timestampS = await nextTimestampS(chain);
  const block = await chain.mineBlock({ timestampS, transactions: [bundle.transaction] });
  const [result] = block.results;
  if (!result?.included) throw new Error(`The bundle was left out: ${result?.reason}`);
  expect(result.receipt.status).toBe('success');
  return readOutcomes(result.receipt, chain.contracts);
}
