import { execFileSync } from 'node:child_process';
import type { Chain } from '../../../../sandbox/chain/chain';
import { estimateCall } from '../../../../sandbox/chain/estimateCall';
import type { MinedBlock } from '../../../../sandbox/chain/node/mineBlock';
import { readBalance } from '../../../../sandbox/chain/token';
import { signTransaction } from '../../../../sandbox/chain/transaction';
import { account, fees, mintCall, startTestChain } from '../testChain';

const holder = account(8).address;
const timestampS = 1_800_000_000;

let said: jest.SpyInstance;
beforeEach(() => {
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a chain whose node is killed', () => {
  it('is the same chain when the next read is answered', async () => {
    const { chain, mined } = await startRecordedChain(5);
    const before = await chain.client.getBlock();
    const pid = chain.pid();
    process.kill(-pid, 'SIGKILL');
    // At once: the reads find no node, and wait for the next one.
    const [after, balance, gas] = await Promise.all([
      chain.client.getBlock(),
      readBalance(chain.client, { token: chain.contracts.usdc, owner: holder }),
      estimateCall(chain, {
        from: chain.operators.faucet.address,
        call: mintCall(chain.contracts.usdc, { to: holder, amount: 1n }),
      }),
      chain.relay({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    ]);
    expect(after).toEqual(before);
    expect(after.hash).toBe(mined.at(-1)?.hash);
    expect(balance).toBe(5n);
    expect(gas).toBeGreaterThan(21_000n);
    expect(chain.pid()).not.toBe(pid);
    expect(said.mock.calls.flat().join('')).toMatch(/The chain is being rebuilt/);
  });

  it('comes back however often that happens, also while it is rebuilt', async () => {
    const { chain, mined } = await startRecordedChain(3);
    for (const pauseMs of [0, 40, 90, 140, 190, 240, 0]) {
      process.kill(-chain.pid(), 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    expect((await chain.client.getBlock()).hash).toBe(mined.at(-1)?.hash);
  });

  it('comes back when the program itself is killed, and not the shell around it', async () => {
    const { chain, mined } = await startRecordedChain(1);
    process.kill(programPid(chain), 'SIGKILL');
    expect((await chain.client.getBlock()).hash).toBe(mined.at(-1)?.hash);
  });

  it('mines a numbered block once, whatever happens before the answer', async () => {
    const { chain, mine } = await startRecordedChain(1);
    for (const pauseMs of [0, 1, 2, 4, 8, 16]) {
      const next = await mine.prepare();
      const first = chain.mineBlock(next).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      process.kill(-chain.pid(), 'SIGKILL');
      await first;
      await chain.client.getBlockNumber();
      // Written down before it was mined, it is a part of every chain that is built since.
      await expect(chain.mineBlock(next)).rejects.toThrow(/does not follow on the newest block/);
      expect(await chain.client.getBlockNumber()).toBe(BigInt(next.number));
    }
    expect(await chain.client.getTransactionCount({ address: minter(chain).address })).toBe(7);
  });
});

describe('a chain whose node has done half of a block', () => {
  it('has it replaced, so that the fee of that block is paid out once', async () => {
    const { chain, mine } = await startRecordedChain(1);
    const pid = chain.pid();
    const { fetch } = globalThis;
    const refusal = [{ id: 0, error: { message: 'not now' } }];
    const cut = jest.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      const isFee = String(init?.body).includes('anvil_addBalance');
      return isFee ? Promise.resolve(Response.json(refusal)) : fetch(url, init);
    });
    const next = await mine.prepare();
    await expect(chain.mineBlock(next)).rejects.toThrow('refused anvil_addBalance: not now');
    cut.mockRestore();
    const numbers = [1n, 2n, BigInt(next.number)];
    const blocks = await Promise.all(
      numbers.map((blockNumber) => chain.client.getBlock({ blockNumber })),
    );
    expect(chain.pid()).not.toBe(pid);
    // The genesis gives no tips.
    const owed = blocks.map(({ gasUsed, number }) => {
      const tip = number === 1n ? 0n : fees.maxPriorityFeePerGas;
      return gasUsed * (chain.baseFeePerGas + tip);
    });
    const [{ miner: address } = { miner: holder }] = blocks;
    const earned = await chain.client.getBalance({ address });
    expect(earned).toBe(owed.reduce((sum, fee) => sum + fee));
  });
});

describe('a chain whose node hangs', () => {
  it('has it replaced when an answer takes too long', async () => {
    const { chain, mined } = await startRecordedChain(2);
    const pid = chain.pid();
    await stop(programPid(chain));
    expect((await chain.client.getBlock()).hash).toBe(mined.at(-1)?.hash);
    expect(chain.pid()).not.toBe(pid);
  });
});

function minter(chain: Chain) {
  return chain.operators.faucet;
}

/** Stops a process as a debugger would. It may still answer until the system says that it stands. */
async function stop(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const state = () => execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' });
  while (!state().startsWith('T')) await new Promise((resolve) => setTimeout(resolve, 10));
}

function programPid(chain: Chain): number {
  return Number(execFileSync('pgrep', ['-P', String(chain.pid()), 'anvil'], { encoding: 'utf8' }));
}

/** A chain whose blocks are written down before they are mined, as a service does it. */
async function startRecordedChain(count: number) {
  const recorded: { number: number; timestampS: number; transactions: `0x${string}`[] }[] = [];
  const mined: MinedBlock[] = [];
  const chain = await startTestChain({
    blocks: () => recorded.map((block) => ({ ...block, number: BigInt(block.number) })),
  });
  const prepare = async () => {
    const { transaction } = await signTransaction(chain, {
      account: minter(chain),
      call: mintCall(chain.contracts.usdc, { to: holder, amount: 1n }),
      nonce: recorded.length,
      gas: 200_000n,
      fees,
    });
    const number = recorded.length + 2;
    const block = { number, timestampS: timestampS + number, transactions: [transaction] };
    recorded.push(block);
    return block;
  };
  for (let block = 0; block < count; block++) mined.push(await chain.mineBlock(await prepare()));
  return { chain, mined, mine: { prepare } };
}
