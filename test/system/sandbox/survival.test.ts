import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createPublicClient, http } from 'viem';
import { createCustodyClient } from '../../../src/custody/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { type Child, startChild } from '../../../src/local/childProcess';
import { untilRest } from '../../support/chain/outside';
import { newFolder, stopLater } from '../../support/jest/setUp';
import {
  createFundedWallet,
  createWallet,
  eurc,
  holdings,
  settled,
  tokenTransfers,
  transferOf,
} from '../../support/sandbox';

const apiKey = 'TEST_API_KEY:survival:secret';
const entitySecret = '5eed'.repeat(16);
const program = join(__dirname, '..', '..', '..', 'scripts', 'steadfast.js');

type Process = { child: Child; client: CustodyApi; baseUrl: string; rpcUrl: string };

const dataDir = newFolder();
let running: Process;

beforeAll(() => stopLater(() => running.child.stop()));

describe('a sandbox that is killed', () => {
  it.each(['SCA', 'EOA'] as const)(
    'makes a transfer of an %s exactly once when it had just accepted it',
    async (type) => {
      running = await start();
      const from = await createFundedWallet(running.client, type);
      const to = await createWallet(running.client);
      const order = transferOf(from, to.address, { tokenAddress: eurc, amounts: ['7'] });
      const { id } = await running.client.createTransfer(order);
      await running.child.kill();

      running = await start();
      const record = await settled(running.client, id);
      expect(record.state).toBe('COMPLETE');
      expect(await tokenTransfers(running.rpcUrl, { to: to.address })).toEqual([
        { to: to.address, value: 7_000_000n, transactionHash: record.txHash },
      ]);
      expect((await holdings(running.client, from.id)).EURC).toBe('13');
      expect(await holdings(running.client, to.id)).toEqual({ EURC: '7' });
      // A caller that lost the answer asks again and gets the same answer.
      expect(await running.client.createTransfer(order)).toEqual({ id, state: 'INITIATED' });
      await running.child.kill();
    },
  );

  it('keeps all its records, and its chain at the same height', async () => {
    running = await start();
    const from = await createFundedWallet(running.client);
    const { id } = await running.client.createTransfer(transferOf(from, from.address));
    await settled(running.client, id);
    await untilRest(running);
    const before = await everything(id, from.id);
    await running.child.kill();
    running = await start();
    expect(await everything(id, from.id)).toEqual(before);
  });

  it.each([
    ['SCA', 'cancelTransaction', 'CANCELLED'],
    ['EOA', 'cancelTransaction', 'CANCELLED'],
    ['SCA', 'accelerateTransaction', 'COMPLETE'],
    ['EOA', 'accelerateTransaction', 'COMPLETE'],
  ] as const)('does for an %s what %s had just been accepted for: %s', async (type, wish, end) => {
    const from = await createFundedWallet(running.client, type);
    const to = await createWallet(running.client);
    const order = () => transferOf(from, to.address, { tokenAddress: eurc, amounts: ['2'] });
    await fetch(new URL('/_sandbox/faults', running.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seed: 1, rules: [{ kind: 'stuck', count: 1 }] }),
    });
    const { id } = await running.client.createTransfer(order());
    await expect(settled(running.client, id, 'STUCK')).resolves.toMatchObject({ state: 'STUCK' });
    await running.client[wish]({ id, idempotencyKey: randomUUID() });
    await running.child.kill();

    running = await start();
    expect(await settled(running.client, id)).toMatchObject({ state: end });
    const next = await running.client.createTransfer(order());
    expect(await settled(running.client, next.id)).toMatchObject({ state: 'COMPLETE' });
    const moved = await tokenTransfers(running.rpcUrl, { to: to.address });
    expect(moved).toHaveLength(end === 'COMPLETE' ? 2 : 1);
  });
});

async function everything(transactionId: string, walletId: string) {
  const { client, rpcUrl } = running;
  const record = await settled(client, transactionId);
  const { hash, number } = await createPublicClient({ transport: http(rpcUrl) }).getBlock();
  return {
    record,
    wallet: await client.getWallet({ id: walletId }),
    holdings: await holdings(client, walletId),
    block: { hash, number },
  };
}

async function start(): Promise<Process> {
  const child = startChild({
    command: [process.execPath, program, 'sandbox'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SANDBOX_PORT: '0',
      SANDBOX_DATA_DIR: dataDir,
      SANDBOX_API_KEY: apiKey,
      SANDBOX_ENTITY_SECRET: entitySecret,
      SANDBOX_SETTLE_MS: '200',
      SANDBOX_RATE_LIMIT: 'off',
    },
  });
  const [, baseUrl = ''] = await child.waitForLine(/^Sandbox ready: (\S+)$/, 60_000);
  const info = await fetch(new URL('/_sandbox/info', baseUrl));
  const { rpcUrl } = (await info.json()) as { rpcUrl: string };
  return { child, baseUrl, rpcUrl, client: createCustodyClient({ baseUrl, apiKey, entitySecret }) };
}
