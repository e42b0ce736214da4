import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { type MortalStack, startMortalStack } from '../../proof/kill/processes';
import type { Closed } from '../../src/books/reconcile/closeDay';
import { createSteadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import { runCli } from '../cli/runCli';
import { newFolder, stopLater } from '../support/jest/setUp';
import { times } from '../support/lane';
import { createFundedWallet } from '../support/sandbox';
import { someone } from '../support/stages';
import { workflowBundle } from '../support/temporal';

const dayMs = 86_400_000;
const folder = newFolder();
/** The sandbox lives a day behind, until its variables say otherwise. */
const sandboxEnv: Record<string, string> = {
  SANDBOX_SETTLE_MS: '100',
  SANDBOX_RATE_LIMIT: 'off',
  NODE_OPTIONS: `--require ${require.resolve('../../proof/kill/shiftClock.js')}`,
  PROOF_CLOCK_SHIFT_MS: String(-dayMs),
};
const inLongLane = times({ short: 0, all: 1 }) === 1 ? describe : describe.skip;

inLongLane('a daily close', () => {
  let stack: MortalStack;
  let connection: Connection;
  let client: Client;
  beforeAll(async () => {
    stack = await startMortalStack({
      folder,
      sandboxEnv,
      workerEnv: {
        STEADFAST_STORE: `file:${join(folder, 'store.db')}`,
        STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
      },
    });
    stopLater(() => stack.stop());
    connection = await Connection.connect({ address: stack.temporalAddress });
    stopLater(() => connection.close());
    client = new Client({ connection });
  });

  const steadfast = (...args: string[]) =>
    runCli(args, { TEMPORAL_ADDRESS: stack.temporalAddress, CHAIN_RPC_URL: stack.rpcUrl });

  async function faults(rules: object[]): Promise<void> {
    const { status } = await fetch(`${stack.controlUrl}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seed: 1, rules }),
    });
    expect(status).toBe(200);
  }

  test('of which every worker is killed in the middle ends with the same result', async () => {
    const custody = createCustodyClient(stack);
    const wallet = await createFundedWallet(custody, 'EOA');
    const { execute } = createSteadfast({ client, taskQueue: stack.taskQueue });
    const pay = (id: string) =>
      execute('transferStablecoin', `transfer:${id}`, {
        from: { walletId: wallet.id },
        to: someone(),
        amount: '0.5',
        token: 'USDC',
      });
    const day = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
    await Promise.all(['one', 'two', 'three'].map(pay));
    sandboxEnv.PROOF_CLOCK_SHIFT_MS = '0';
    await stack.sandbox.kill();
    await stack.sandbox.start();
    await pay('of-the-day-after');
    const first = JSON.parse((await steadfast('close', day, '--json')).stdout);
    const { workflowId, result }: { workflowId: string; result: Closed } = first;
    expect(result).toMatchObject({ isBalanced: true, counts: { matched: 3 }, hasArchive: true });

    await faults([{ kind: 'delay', method: 'GET', path: '/v1/w3s/transactions', delayMs: 4_000 }]);
    await steadfast('close', day, '--again', '--no-wait');
    const handle = client.workflow.getHandle(workflowId);
    const pending = async () => (await handle.describe()).raw.pendingActivities?.[0];
    while (((await pending())?.heartbeatDetails?.payloads ?? []).length === 0) await sleep(50);
    await stack.worker.kill();
    await stack.worker.start();
    while (((await pending())?.attempt ?? 2) < 2) await sleep(200);
    await faults([]);
    expect(await handle.result()).toEqual(result);
  });
});
