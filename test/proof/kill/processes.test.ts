import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { type MortalStack, startMortalStack } from '../../../proof/kill/processes';
import { createCustodyClient } from '../../../src/custody/client';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { workflowBundle } from '../../support/temporal';

const folder = newFolder();
const ended: string[] = [];
let stack: MortalStack;
beforeAll(async () => {
  const workerEnv = { STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath };
  stack = await startMortalStack({ folder, workerEnv, onEnd: (name) => ended.push(name) });
  stopLater(() => stack.stop());
});

/** The hash of the block of that number, and its number. */
async function block(number: string): Promise<{ number: string; hash: string }> {
  const params = [number, false];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(stack.rpcUrl, { method: 'POST', headers, body });
  return ((await answer.json()) as { result: { number: string; hash: string } }).result;
}

describe('a stack whose processes can be killed', () => {
  test('has every one of them back at its address, with what it had stored', async () => {
    const custody = createCustodyClient(stack);
    const { walletSet } = await custody.createWalletSet({ idempotencyKey: crypto.randomUUID() });
    for (const part of [stack.temporal, stack.sandbox, stack.worker]) {
      const before = await part.pid();
      await part.kill();
      expect(await part.pid()).toBeUndefined();
      await part.start();
      expect(await part.pid()).not.toBe(before);
    }
    expect(await custody.getWalletSet({ id: walletSet.id })).toMatchObject({ walletSet });
    const connection = await Connection.connect({ address: stack.temporalAddress });
    await connection.close();
  });

  test('has another node under the same chain once the first was killed', async () => {
    const [pid, newest] = [await stack.chain.pid(), await block('latest')];
    await stack.chain.kill();
    await stack.chain.start();
    expect(await stack.chain.pid()).not.toBe(pid);
    // Blocks may have come since. The chain is the same.
    expect((await block(newest.number)).hash).toBe(newest.hash);
  });

  test('lets a process be killed while it still starts', async () => {
    await stack.sandbox.kill();
    const start = stack.sandbox.start();
    await stack.sandbox.kill();
    await expect(start).rejects.toThrow('ended');
    await stack.sandbox.start();
    await stack.sandbox.ready();
  });

  test('tells of an end that was no kill, and of no other', async () => {
    expect(ended).toEqual([]);
    process.kill(-((await stack.worker.pid()) ?? Number.NaN), 'SIGKILL');
    while (ended.length === 0) await sleep(20);
    expect(ended).toEqual(['worker-1']);
    await stack.worker.start();
    await stack.worker.ready();
  });
});
