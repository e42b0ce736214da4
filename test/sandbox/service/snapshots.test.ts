import { existsSync, statSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encryptEntitySecret, readPublicKey } from '../../../src/custody/entitySecret';
import { finalState } from '../../../src/custody/objects/state';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { newFolder } from '../../support/jest/setUp';
import {
  blockchain,
  createFundedWallet,
  createUsedWallet,
  holdings,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../../support/sandbox';

type Shot = { id: string; createdAt: string; block: number; file: string };

const folder = newFolder();
beforeAll(() => {
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});

const path = '/_sandbox/snapshots';
const json = { 'content-type': 'application/json' };

async function take(sandbox: TestSandbox): Promise<Shot> {
  const { status, body } = await sandbox.request('POST', path);
  expect(status).toBe(201);
  return body as Shot;
}

async function restore(sandbox: TestSandbox, { id }: Shot): Promise<void> {
  expect(await sandbox.request('POST', `${path}/${id}/restore`)).toMatchObject({ status: 200 });
}

/** All that a client and a reader of the chain can see of a wallet. */
async function everything({ client, chain }: TestSandbox, wallet: Wallet) {
  const transactions = await settledOf(client, wallet);
  const address = wallet.address as `0x${string}`;
  return {
    wallet: await client.getWallet({ id: wallet.id }),
    transactions,
    holdings: await holdings(client, wallet.id),
    block: await newestUsed(chain),
    nonce: await chain.client.getTransactionCount({ address }),
    logs: await chain.client.getLogs({ fromBlock: 0n }),
  };
}

/** The newest block with a transaction. The empty ones after it go on after a restore. */
async function newestUsed({ client }: TestSandbox['chain']) {
  let block = await client.getBlock();
  while (block.transactions.length === 0) {
    block = await client.getBlock({ blockHash: block.parentHash });
  }
  return block;
}

/** All of a wallet's, once each is final: what it received takes its time, too. */
async function settledOf(client: TestSandbox['client'], { id }: Wallet): Promise<Transaction[]> {
  for (;;) {
    const { transactions } = await client.listTransactions({ walletIds: id });
    if (transactions.every(({ state }) => finalState(state) !== undefined)) return transactions;
    await sleep(20);
  }
}

async function transfer({ client }: TestSandbox, from: Wallet): Promise<string> {
  const { id } = await client.createTransfer(transferOf(from, from.address));
  expect(await settled(client, id)).toMatchObject({ state: 'COMPLETE' });
  await settledOf(client, from);
  return id;
}

describe.each([
  ['in memory', () => undefined],
  ['with a data folder', () => join(folder, 'data')],
])('a sandbox %s', (_, dataDirOf) => {
  let sandbox: TestSandbox;
  let wallet: Wallet;
  beforeAll(async () => {
    sandbox = await startTestSandbox({ dataDir: dataDirOf() });
    wallet = await sandbox.usedWallet('EOA');
  });
  afterAll(() => sandbox.stop());

  it('goes back to a snapshot, again and again, and on from there as it did before', async () => {
    const { client } = sandbox;
    await transfer(sandbox, wallet);
    const before = await everything(sandbox, wallet);
    const shot = await take(sandbox);
    const ends: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const id = await transfer(sandbox, wallet);
      const { nonce, transactions } = await everything(sandbox, wallet);
      ends.push({ nonce, count: transactions.length });
      await createFundedWallet(client);
      await restore(sandbox, shot);
      expect(await everything(sandbox, wallet)).toEqual(before);
      await expect(client.getTransaction({ id })).rejects.toMatchObject({ status: 404 });
    }
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
  });

  it('goes back as well when its node was killed meanwhile', async () => {
    const before = await everything(sandbox, wallet);
    const shot = await take(sandbox);
    await transfer(sandbox, wallet);
    process.kill(-sandbox.chain.pid(), 'SIGKILL');
    await restore(sandbox, shot);
    expect(await everything(sandbox, wallet)).toEqual(before);
    await transfer(sandbox, wallet);
  });

  it('goes back to an older snapshot, and forward to a newer one', async () => {
    const older = await take(sandbox);
    const atOlder = await everything(sandbox, wallet);
    await transfer(sandbox, wallet);
    const newer = await take(sandbox);
    const atNewer = await everything(sandbox, wallet);
    await transfer(sandbox, wallet);
    for (const [shot, then] of [
      [older, atOlder],
      [newer, atNewer],
      [older, atOlder],
    ] as const) {
      await restore(sandbox, shot);
      expect(await everything(sandbox, wallet)).toEqual(then);
    }
  });

  it('goes on with what was under way at the snapshot', async () => {
    const { client, request } = sandbox;
    const settle = (settleMs: number) =>
      request('PATCH', '/_sandbox/settings', { headers: json, body: { settleMs } });
    await settle(600_000);
    const { id } = await client.createTransfer(transferOf(wallet, wallet.address));
    const shot = await take(sandbox);
    await settle(50);
    await settled(client, id);
    await restore(sandbox, shot);
    expect((await client.getTransaction({ id })).transaction.state).toBe('INITIATED');
    await settle(50);
    expect(await settled(client, id)).toMatchObject({ state: 'COMPLETE' });
  });

  it('forgets keys, settings and faults of afterwards', async () => {
    const { client, request } = sandbox;
    const plan = { seed: 3, rules: [{ kind: 'status', status: 500, path: '/none', count: 2 }] };
    await request('POST', '/_sandbox/faults', { headers: json, body: plan });
    const infoThen = await request('GET', '/_sandbox/info');
    const faultsThen = await request('GET', '/_sandbox/faults');
    const shot = await take(sandbox);
    const order = { idempotencyKey: crypto.randomUUID(), name: 'one' };
    const first = await client.createWalletSet(order);
    await request('DELETE', '/_sandbox/faults');
    await request('PATCH', '/_sandbox/settings', { headers: json, body: { readLagMs: 5 } });
    await restore(sandbox, shot);
    expect((await request('GET', '/_sandbox/info')).body).toEqual(infoThen.body);
    expect((await request('GET', '/_sandbox/faults')).body).toEqual(faultsThen.body);
    const second = await client.createWalletSet({ ...order, name: 'other' });
    expect(second.walletSet.id).not.toBe(first.walletSet.id);
  });

  it('knows the ciphertexts that it had seen, and no later ones', async () => {
    const { client, request, secrets } = sandbox;
    const { publicKey } = await client.getPublicKey({});
    const use = async (entitySecretCiphertext: string) => {
      const set = { idempotencyKey: crypto.randomUUID(), name: 'signed', entitySecretCiphertext };
      return (await request('POST', 'developer/walletSets', { body: set })).status;
    };
    const [earlier, later] = [1, 2].map(() =>
      encryptEntitySecret(secrets.entitySecret, readPublicKey(publicKey)),
    ) as [string, string];
    expect(await use(earlier)).toBe(201);
    const shot = await take(sandbox);
    expect(await use(later)).toBe(201);
    await restore(sandbox, shot);
    expect([await use(earlier), await use(later), await use(later)]).toEqual([400, 201, 400]);
  });

  it('answers what it has under way with 503, and lets what comes meanwhile wait', async () => {
    const { client, request } = sandbox;
    await request('PATCH', '/_sandbox/settings', { headers: json, body: { blockMs: 60_000 } });
    const shot = await take(sandbox);
    const drip = request('POST', '/v1/faucet/drips', {
      headers: { ...json, authorization: `Bearer ${sandbox.secrets.apiKey}` },
      body: { address: wallet.address, blockchain, native: true },
    });
    const block = request('PUT', `/_sandbox/blocklist/${wallet.address}`, { headers: {} });
    // Both wait for their block by then.
    await sleep(1_000);
    const restoring = restore(sandbox, shot);
    const reads = Array.from({ length: 10 }, () => client.getWallet({ id: wallet.id }));
    await restoring;
    const message = expect.stringContaining('put back to a snapshot');
    const gone = { status: 503, body: { code: 503, message } };
    expect(await Promise.all([drip, block])).toMatchObject([gone, gone]);
    expect(await Promise.all(reads)).toHaveLength(10);
    await request('PATCH', '/_sandbox/settings', { headers: json, body: { settleMs: 50 } });
  });

  it('lists snapshots, shows one, removes one, and knows no other', async () => {
    const shot = await take(sandbox);
    const listed = await sandbox.request('GET', path);
    expect(listed.body).toMatchObject({ snapshots: expect.arrayContaining([shot]) });
    expect((await sandbox.request('GET', `${path}/${shot.id}`)).body).toEqual(shot);
    expect(statSync(shot.file).mode & 0o077).toBe(0);
    expect(await sandbox.request('DELETE', `${path}/${shot.id}`)).toMatchObject({ status: 204 });
    expect(existsSync(shot.file)).toBe(false);
    for (const [method, url] of [
      ['GET', `${path}/${shot.id}`],
      ['DELETE', `${path}/${shot.id}`],
      ['POST', `${path}/${shot.id}/restore`],
    ] as const) {
      expect(await sandbox.request(method, url)).toMatchObject({ status: 404 });
    }
    expect(await sandbox.request('GET', `${path}/..%2f..%2fsecrets`)).toMatchObject({
      status: 400,
    });
  });
});

it('makes blocks like the others where nothing was before the snapshot', async () => {
  const sandbox = await startTestSandbox();
  const [first, empty] = [await sandbox.chain.client.getBlock(), await take(sandbox)];
  await sandbox.fundedWallet();
  const before = await newestUsed(sandbox.chain);
  await restore(sandbox, empty);
  await sandbox.fundedWallet();
  const after = await newestUsed(sandbox.chain);
  expect([before.number, after.number]).toEqual([first.number + 1n, first.number + 1n]);
  // The first one, with every contract of the chain in it, may hold more.
  expect([before.gasLimit, after.gasLimit]).toEqual([30_000_000n, 30_000_000n]);
  expect(first.gasUsed).toBeLessThan(first.gasLimit);
  await sandbox.stop();
});

describe('a snapshot that somebody has damaged', () => {
  it('is refused by name, and what runs goes on', async () => {
    const sandbox = await startTestSandbox();
    try {
      const { id, file } = await take(sandbox);
      await writeFile(file, 'something else entirely');
      expect(await sandbox.request('POST', `${path}/${id}/restore`)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('is not a snapshot') },
      });
      await sandbox.fundedWallet();
    } finally {
      await sandbox.stop();
    }
  });
});

describe('a snapshot as a file', () => {
  it('is what another sandbox begins from, with the same keys and the same chain', async () => {
    const dataDir = join(folder, 'origin');
    const first = await startTestSandbox({ dataDir });
    const wallet = await createUsedWallet(first.client, 'SCA');
    const before = await everything(first, wallet);
    const { file } = await take(first);
    await transfer(first, wallet);
    await first.stop();
    const other = join(folder, 'other');
    for (const config of [{}, { dataDir: other }]) {
      const second = await startTestSandbox({ ...config, snapshot: file });
      try {
        expect(second.secrets).toEqual(first.secrets);
        expect(await everything(second, wallet)).toEqual(before);
        await transfer(second, wallet);
      } finally {
        await second.stop();
      }
    }
    // A folder with records of its own goes on with those.
    const again = await startTestSandbox({ dataDir: other, snapshot: file });
    expect((await everything(again, wallet)).transactions).toHaveLength(
      before.transactions.length + 2,
    );
    await again.stop();
  });

  it('of another sandbox is not restored, wherever it lies', async () => {
    const stranger = await startTestSandbox();
    const own = await startTestSandbox({ dataDir: join(folder, 'own') });
    try {
      const theirs = await take(stranger);
      await copyFile(theirs.file, join(dirname((await take(own)).file), `${theirs.id}.db`));
      expect(await own.request('POST', `${path}/${theirs.id}/restore`)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('is of another sandbox') },
      });
    } finally {
      await Promise.all([stranger.stop(), own.stop()]);
    }
  });

  it.each([
    ['nowhere.db', 'there is no file'],
    ['no.db', 'is not a snapshot of a sandbox.'],
  ])('that is none is refused with a sentence: %s', async (name, sentence) => {
    const snapshot = join(folder, name);
    if (name === 'no.db') await writeFile(snapshot, 'something else entirely, and long enough');
    const dataDir = join(folder, 'refused');
    await expect(startTestSandbox({ dataDir, snapshot })).rejects.toThrow(sentence);
    await (await startTestSandbox({ dataDir })).stop();
  });

  it('is gone with a sandbox in memory', async () => {
    const sandbox = await startTestSandbox();
    const { file } = await take(sandbox);
    expect(existsSync(file)).toBe(true);
    await sandbox.stop();
    expect(existsSync(dirname(file))).toBe(false);
  });
});
