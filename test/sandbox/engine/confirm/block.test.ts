import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, type Hex, http } from 'viem';
import { untilRest } from '../../../support/chain/outside';
import { startTestSandbox, type TestSandbox, transferOf } from '../../../support/sandbox';
import { someone } from '../../../support/stages';

let sandbox: TestSandbox;
beforeAll(async () => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  sandbox = await startTestSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  jest.restoreAllMocks();
});

const head = () => sandbox.chain.client.getBlockNumber({ cacheTime: 0 });

it('twelve empty blocks follow a transfer, then none, and a rebuilt chain has them too', async () => {
  const { client, chain } = sandbox;
  const from = await sandbox.fundedWallet('EOA');
  const { id } = await client.createTransfer(transferOf(from, someone()));
  const { blockHeight = 0 } = await sandbox.settled(id);
  const last = BigInt(blockHeight) + 12n;
  while ((await head()) < last) await sleep(100);
  await sleep(1_200);
  expect(await head()).toBe(last);

  const blocks = await Promise.all(
    Array.from({ length: 13 }, (_, n) => chain.client.getBlock({ blockNumber: last - BigInt(n) })),
  );
  const [newest] = blocks;
  const [paid, ...empty] = blocks.toReversed();
  expect(paid?.transactions).toHaveLength(1);
  expect(empty.map(({ transactions }) => transactions)).toEqual(empty.map(() => []));
  const times = blocks.map(({ timestamp }) => Number(timestamp));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  // Two a second.
  expect((times[0] ?? 0) - (times[12] ?? 0)).toBeGreaterThanOrEqual(5);

  process.kill(-chain.pid(), 'SIGKILL');
  expect((await chain.client.getBlock()).hash).toBe(newest?.hash);
  const next = await sandbox.settled((await client.createTransfer(transferOf(from, someone()))).id);
  expect(next.blockHeight).toBe(Number(last) + 1);
  const receipt = await chain.client.getTransactionReceipt({ hash: next.txHash as Hex });
  expect(receipt.status).toBe('success');
});

it('a chain at rest goes on while somebody asks for its newest block, unless it may not', async () => {
  const ask = () => createPublicClient({ transport: http(sandbox.rpcUrl) }).getBlockNumber();
  const url = `${sandbox.origin}/_sandbox/settings`;
  await untilRest(sandbox);
  const before = await head();
  const untilMs = Date.now() + 3_000;
  while (Date.now() < untilMs) {
    await sleep(100);
    expect(await ask()).toBe(before);
  }
  await sandbox.request('PATCH', url, { headers: {}, body: { idleBlocks: 'on' } });
  while ((await ask()) === before) await sleep(100);
  await sleep(2_500);
  expect(await head()).toBe(before + 1n);
});
