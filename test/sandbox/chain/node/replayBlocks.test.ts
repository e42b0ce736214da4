import childProcess, { type ChildProcess } from 'node:child_process';
import { parseUnits } from 'viem';
import type { Chain } from '../../../../sandbox/chain/chain';
import { estimateCall } from '../../../../sandbox/chain/estimateCall';
import type { MinedBlock } from '../../../../sandbox/chain/node/mineBlock';
import { signTransaction } from '../../../../sandbox/chain/transaction';
import { account, fees, fundCall, mintCall, nextTimestampS, startTestChain } from '../testChain';

const holder = account(7).address;

/** Mints and sends in each block. The last transaction of a block reverts on the chain. */
async function mineBlocks(chain: Chain, count: number): Promise<MinedBlock[]> {
  const { usdc } = chain.contracts;
  const { faucet } = chain.operators;
  const noMinter = chain.operators.bundler;
  const blocks: MinedBlock[] = [];
  for (let nonce = 0; nonce < count; nonce++) {
    const mint = mintCall(usdc, { to: holder, amount: 1n });
    const signed = await Promise.all([
      ...[
        { account: faucet, call: mint, nonce: 2 * nonce },
        { account: faucet, call: fundCall(holder), nonce: 2 * nonce + 1 },
        { account: noMinter, call: mint, nonce },
      ].map((one) => signTransaction(chain, { ...one, gas: 200_000n, fees })),
    ]);
    const transactions = signed.map(({ transaction }) => transaction);
    // Reads between blocks, as a service makes them, must not change what is mined.
    await estimateCall(chain, { from: faucet.address, call: mint });
    blocks.push(await chain.mineBlock({ timestampS: await nextTimestampS(chain), transactions }));
  }
  return blocks;
}

describe('a chain from its recorded blocks', () => {
  it('is the same chain in another node: hashes, receipts, state', async () => {
    const chain = await startTestChain();
    const blocks = await mineBlocks(chain, 10);
    const { miner } = await chain.client.getBlock();
    const earned = await chain.client.getBalance({ address: miner });
    await chain.stop();

    const rebuilt = await startTestChain({ blocks: () => blocks });
    for (const block of blocks) {
      const { hash } = await rebuilt.client.getBlock({ blockNumber: block.number });
      expect(hash).toBe(block.hash);
      for (const result of block.results) {
        if (!result.included) throw new Error('A transaction was left out.');
        const receipt = await rebuilt.client.getTransactionReceipt({ hash: result.hash });
        expect(receipt).toEqual(result.receipt);
      }
    }
    expect(blocks.at(-1)?.results.map((one) => one.included && one.receipt.status)).toEqual([
      'success',
      'success',
      'reverted',
    ]);
    expect(earned).toBeGreaterThan(0n);
    expect(await rebuilt.client.getBalance({ address: miner })).toBe(earned);
    const minted = parseUnits('10', 12);
    expect(await rebuilt.client.getBalance({ address: holder })).toBe(
      10n * fundCall(holder).value + minted,
    );
    await rebuilt.stop();
  });

  it('goes on as the first chain would have gone on', async () => {
    const chain = await startTestChain();
    const blocks = await mineBlocks(chain, 3);
    const timestampS = await nextTimestampS(chain);
    const next = await chain.mineBlock({ timestampS, transactions: [] });
    await chain.stop();
    const rebuilt = await startTestChain({ blocks: () => blocks });
    const again = await rebuilt.mineBlock({ timestampS, transactions: [] });
    expect(again).toEqual(next);
    await rebuilt.stop();
  });

  it('is refused when it is another chain than the recorded one', async () => {
    const chain = await startTestChain();
    const [first, second] = await mineBlocks(chain, 2);
    await chain.stop();
    if (!first || !second) throw new Error('There are not enough blocks.');
    const changed = { ...first, transactions: [] };
    await expect(startTestChain({ blocks: () => [changed, second] })).rejects.toThrow(
      /The rebuilt chain differs from its record/,
    );
    await expect(startTestChain({ blocks: () => [second] })).rejects.toThrow(
      'The record of the chain has block 3 where 2 belongs.',
    );
  });

  it('is built by another node when one dies while it is built', async () => {
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const spawned = jest.spyOn(childProcess, 'spawn');
    const blocks = async function* () {
      yield { number: 2n, timestampS: 1_800_000_000, transactions: [] };
      const nodes: ChildProcess[] = spawned.mock.results.map(({ value }) => value);
      if (nodes.length === 1) process.kill(-(nodes[0]?.pid ?? 0), 'SIGKILL');
      yield { number: 3n, timestampS: 1_800_000_001, transactions: [] };
    };
    const chain = await startTestChain({ blocks });
    expect(await chain.client.getBlockNumber()).toBe(3n);
    expect(spawned).toHaveBeenCalledTimes(2);
    expect(said.mock.calls.flat().join('')).toMatch(/could not be built, and is tried again/);
    jest.restoreAllMocks();
    await chain.stop();
  });

  it('replays hundreds of blocks with one request for each', async () => {
    const count = 500;
    const blocks = Array.from({ length: count }, (_, index) => ({
      number: BigInt(index + 2),
      timestampS: 1_800_000_000 + index,
      transactions: [],
    }));
    const sent = jest.spyOn(globalThis, 'fetch');
    const empty = await startTestChain({ blocks: () => [] });
    const before = sent.mock.calls.length;
    const chain = await startTestChain({ blocks: () => blocks });
    expect(await chain.client.getBlockNumber()).toBe(501n);
    const further = sent.mock.calls.length - before;
    expect(further - before).toBeLessThanOrEqual(count + 5);
    jest.restoreAllMocks();
    await Promise.all([empty.stop(), chain.stop()]);
  });
});
