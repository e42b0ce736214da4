import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../../../src/childProcess';
import { createSteadfast, type Steadfast } from '../../../src/client/client';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { testKeys } from '../../authority/keys';
import { runCli } from '../../cli/runCli';
import { payers } from '../../support/payouts';
import { startTestSandbox, type TestSandbox, tokenTransfers } from '../../support/sandbox';
import { temporalAddress } from '../../support/temporal';
import { startPolicedWorker } from './policedWorker';

const taskQueue = `approvals-${process.pid}-${Date.now()}`;
const folder = mkdtempSync(join(tmpdir(), 'steadfast-approvals-'));
const makeKey = testKeys();
const [backend, ann, bo] = [makeKey('backend'), makeKey('ann'), makeKey('bo')];
const payee = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
let sandbox: TestSandbox;
let connection: Connection;
let wallet: Wallet | undefined;
let worker: Child;
let entity: string;

const policyPath = join(folder, 'policy.json');

function writePolicy(version: number, treasurers = ['ann', 'bo']): void {
  const keys = (key: { publicKey: string }) => ({ keys: [key.publicKey] });
  const people = { backend: keys(backend), ann: keys(ann), bo: keys(bo) };
  const limit = {
    id: 'out',
    kind: 'limit',
    orders: ['transferStablecoin'],
    wallets: [wallet?.id],
    tokens: ['USDC'],
    to: payee,
    perTransfer: '10',
    signedBy: 'backends',
  };
  const large = { id: 'large', kind: 'approval', above: '2', of: 'treasurers', within: 48 };
  const rules = [limit, { ...large, need: treasurers.length }];
  const groups = { backends: ['backend'], treasurers };
  writeFileSync(policyPath, JSON.stringify({ version, people, groups, rules }));
}

const temporal = { TEMPORAL_ADDRESS: '', STEADFAST_TASK_QUEUE: taskQueue };

async function startWriter(): Promise<void> {
  worker = await startPolicedWorker(sandbox, { folder, taskQueue });
}

function steadfastWith(sign?: typeof backend.sign): Steadfast {
  const client = new Client({ connection });
  const signing = sign && { sign, entity, blockchain: 'ARC-TESTNET' };
  return createSteadfast({ client, taskQueue, signing });
}

beforeAll(async () => {
  temporal.TEMPORAL_ADDRESS = temporalAddress();
  sandbox = await startTestSandbox();
  entity = (await sandbox.client.getEntityConfig({})).appId;
  [wallet] = await payers(sandbox, 'EOA');
  writePolicy(1);
  await startWriter();
  connection = await Connection.connect({ address: temporalAddress() });
});
afterAll(async () => {
  await worker?.stop();
  await connection?.close();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const orderOf = (amount: string) =>
  ({ from: { walletId: wallet?.id ?? '' }, to: payee, amount, token: 'USDC' }) as const;

/** All that has left the wallet, by the logs of the chain. */
async function paid(): Promise<bigint[]> {
  const logs = await tokenTransfers(sandbox.rpcUrl, { from: wallet?.address ?? '' });
  return logs.map(({ value }) => value);
}

async function untilStatus(id: string, wanted: string, given = 0): Promise<void> {
  const steadfast = steadfastWith();
  for (;;) {
    const { progress } = await steadfast.status(id);
    const isThere = progress?.status === wanted && (progress.approval?.given.length ?? 0) >= given;
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const cli = (...args: string[]) => runCli(args, temporal);

test('an order that nobody has signed is refused, and one that its backend has signed is paid', async () => {
  const unsigned = steadfastWith().execute('transferStablecoin', 'transfer:unsigned', orderOf('1'));
  await expect(unsigned).rejects.toThrow('wants a signature of @backends, and the order has none');
  const signed = steadfastWith(backend.sign);
  await signed.execute('transferStablecoin', 'transfer:signed', orderOf('1'));
  const again = await signed.start('transferStablecoin', 'transfer:signed', orderOf('1'));
  expect(again.outcome).toBe('completed');
  expect(await paid()).toEqual([1_000_000n]);
});

test('any other program signs what the command line prints, and starts the order with it', async () => {
  const file = join(folder, 'order.json');
  writeFileSync(file, JSON.stringify(orderOf('1.25')));
  const printed = await runCli(
    ['request', 'transferStablecoin', 'transfer:by-hand', '--file', file],
    { ...temporal, STEADFAST_ENTITY_ID: entity },
  );
  const request = await backend.sign(printed.stdout, 'request');
  const order = { ...orderOf('1.25'), request };
  await steadfastWith().execute('transferStablecoin', 'transfer:by-hand', order);
  const elsewhere = steadfastWith().execute('transferStablecoin', 'transfer:other-id', order);
  await expect(elsewhere).rejects.toThrow('Its request is for the order transfer:by-hand');
  expect(await paid()).toEqual([1_000_000n, 1_250_000n]);
});

test('an order above a tier is paid once two people have approved, one of them offline, and its worker was killed', async () => {
  const id = 'transfer:large';
  const started = await steadfastWith(backend.sign).start('transferStablecoin', id, orderOf('3'));
  await untilStatus(id, 'NeedsApproval');
  expect((await cli('approvals')).stdout).toMatch(/transfer:large +transferStablecoin +large/);
  const wrong = join(folder, 'own.json');
  writeFileSync(wrong, JSON.stringify(orderOf('3.1')));
  const compared = await cli('approve', id, '--key', ann.path, '--file', wrong);
  expect(compared.stderr).toContain('is not what is to be signed: amount was "3.1", is "3"');
  const names = join(folder, 'names.csv');
  writeFileSync(names, `address,name\n${payee},Acme Ltd\n`);
  const approved = await cli('approve', id, '--key', ann.path, '--names', names);
  expect(approved.stderr).toContain(`3 USDC to ${payee.toLowerCase()} (Acme Ltd)`);
  expect(approved.code).toBe(0);
  await untilStatus(id, 'NeedsApproval', 1);
  await worker.kill();
  await startWriter();
  await untilStatus(id, 'NeedsApproval', 1);
  const statement = join(folder, 's.json');
  writeFileSync(statement, (await cli('approvals', 'show', id, '--statement')).stdout);
  execFileSync('ssh-keygen', [
    ...['-q', '-Y', 'sign', '-f', bo.path, '-n', 'steadfast-approval', statement],
  ]);
  expect(readFileSync(`${statement}.sig`, 'utf8')).toContain('BEGIN SSH SIGNATURE');
  expect((await cli('approve', id, '--signature', `${statement}.sig`)).code).toBe(0);
  await started.receipt();
  expect((await paid()).slice(2)).toEqual([3_000_000n]);
});

test('an order that one person rejects ends, and nothing is paid', async () => {
  const id = 'transfer:rejected';
  const started = await steadfastWith(backend.sign).start('transferStablecoin', id, orderOf('4'));
  await untilStatus(id, 'NeedsApproval');
  await cli('approve', id, '--key', ann.path);
  const rejected = await cli('reject', id, '--key', bo.path, '--reason', 'unknown invoice');
  expect(rejected.code).toBe(0);
  await expect(started.receipt()).rejects.toThrow('bo has rejected it');
  expect((await paid()).length).toBe(3);
});

test('a control that does not fit is refused: nobody waits, a key of nobody, a signature for something else', async () => {
  const nothing = await cli('approve', 'transfer:signed', '--key', ann.path);
  expect(nothing.stderr).toContain('asks for no approval');
  const id = 'transfer:open';
  const started = await steadfastWith(backend.sign).start('transferStablecoin', id, orderOf('5'));
  await untilStatus(id, 'NeedsApproval');
  const gone = await cli('approve', id, '--key', join(folder, 'nobody'));
  expect(gone.stderr).toMatch(/--key: The key \S+ cannot sign/);
  const statement = join(folder, 'other.json');
  writeFileSync(statement, '{}');
  writeFileSync(`${statement}.sig`, (await ann.sign('{"a":"b"}', 'approval')).signature);
  const foreign = await cli('approve', id, '--signature', `${statement}.sig`);
  expect(foreign.stderr).toContain('It does not fit the statement');
  await steadfastWith().cancel(id, 'not wanted');
  await expect(started.receipt()).rejects.toThrow(/cancelled/);
  expect((await paid()).length).toBe(3);
});
