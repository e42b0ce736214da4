import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../../../src/childProcess';
import { createSteadfast, type Steadfast } from '../../../src/client/client';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { testKeys } from '../../authority/keys';
import { runCli } from '../../cli/runCli';
import { times } from '../../support/lane';
import { payers } from '../../support/payouts';
import { startTestSandbox, type TestSandbox, tokenTransfers } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';
import { startPolicedWorker } from './policedWorker';

const taskQueue = `signed-payouts-${process.pid}-${Date.now()}`;
const folder = mkdtempSync(join(tmpdir(), 'steadfast-signed-payouts-'));
const makeKey = testKeys();
const [backend, ann, bo, cy] = [makeKey('backend'), makeKey('ann'), makeKey('bo'), makeKey('cy')];
const suppliers = Array.from({ length: 4 }, () => someone());
let sandbox: TestSandbox;
let connection: Connection;
let client: Client;
let wallets: Wallet[];
let worker: Child;
let entity: string;
let version = 0;

/** The policy in force: who may be paid, and who approves. A new one has a higher version. */
function writePolicy({ to = suppliers, treasurers = ['ann', 'bo'] } = {}): void {
  version += 1;
  const keys = (key: { publicKey: string }) => ({ keys: [key.publicKey] });
  const people = { backend: keys(backend), ann: keys(ann), bo: keys(bo), cy: keys(cy) };
  const limit = {
    id: 'out',
    kind: 'limit',
    orders: ['payout'],
    wallets: wallets.map(({ id }) => id),
    tokens: ['USDC'],
    to,
    perTransfer: '1',
    signedBy: 'backends',
  };
  const tier = { id: 'large', kind: 'approval', above: '0.001', of: 'treasurers', within: 48 };
  const groups = { backends: ['backend'], treasurers };
  const rules = [limit, { ...tier, need: 2 }];
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ version, people, groups, rules }));
}

async function startWriter(): Promise<void> {
  worker = await startPolicedWorker(sandbox, {
    ...{ folder, taskQueue },
    ...{ STEADFAST_WRITES_PER_SECOND: 'off', STEADFAST_READS_PER_SECOND: 'off' },
  });
}

/** Kills the worker. The next one has this policy. */
async function restartWith(policy: Parameters<typeof writePolicy>[0]): Promise<void> {
  await worker.kill();
  writePolicy(policy);
  await startWriter();
}

const steadfastWith = (sign?: typeof backend.sign): Steadfast => {
  const signing = sign && { sign, entity, blockchain: 'ARC-TESTNET' };
  return createSteadfast({ client, taskQueue, signing });
};

const cli = (...args: string[]) =>
  runCli(args, { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: taskQueue });

beforeAll(async () => {
  sandbox = await startTestSandbox();
  entity = (await sandbox.client.getEntityConfig({})).appId;
  wallets = await payers(sandbox, 'EOA', 'EOA');
  writePolicy();
  await startWriter();
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection });
});
afterAll(async () => {
  await worker?.stop();
  await connection?.close();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let amounts = 0;

/** Lines to suppliers in turn. No two lines of this file have the same amount. */
function linesTo(to: readonly string[], count: number) {
  return Array.from({ length: count }, (_, at) => {
    amounts += 1;
    const amount = `0.00${String(amounts).padStart(4, '0')}`.replace(/0+$/, '');
    return { lineId: `line-${at}`, to: to[at % to.length] ?? '', amount, token: 'USDC' };
  });
}

/** Base units that have left the wallets, by the logs of the chain. */
async function paid(): Promise<number[]> {
  const logs = await Promise.all(
    wallets.map(({ address }) => tokenTransfers(sandbox.rpcUrl, { from: address })),
  );
  return logs.flat().map(({ value }) => Number(value));
}

const unitsOf = (lines: readonly { amount: string }[]): number[] =>
  lines.map(({ amount }) => Math.round(Number(amount) * 1e6));

const ascending = (numbers: readonly number[]): number[] =>
  [...numbers].sort((one, other) => one - other);

async function untilAsked(id: string, given = 0): Promise<void> {
  for (;;) {
    const { progress } = await steadfastWith().status(id);
    if (progress?.status === 'NeedsApproval' && progress.approval?.given.length === given) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function untilPaid(count: number): Promise<void> {
  while ((await paid()).length < count) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Signs what an order asks for as a machine without a connection does it. */
async function approveOffline(id: string, key: { path: string }): Promise<void> {
  const statement = join(folder, `${id.replace(':', '-')}-${Date.now()}.json`);
  writeFileSync(statement, (await cli('approvals', 'show', id, '--statement')).stdout);
  execFileSync('ssh-keygen', [
    ...['-q', '-Y', 'sign', '-f', key.path, '-n', 'steadfast-approval', statement],
  ]);
  expect(await cli('approve', id, '--signature', `${statement}.sig`)).toMatchObject({ code: 0 });
}

const walletIds = () => wallets.map(({ id }) => id);

test('a payout is approved as a whole by two people, and each line is paid once, whoever is killed', async () => {
  const before = await paid();
  const lines = linesTo(suppliers, times({ short: 60, all: 1_000 }));
  const order = { payoutId: 'march', wallets: walletIds() };
  const started = await steadfastWith(backend.sign).payout(order, lines);
  await untilAsked('payout:march');
  expect(await paid()).toEqual(before);
  const own = join(folder, 'own.csv');
  const csv = (rows: typeof lines) =>
    ['lineId,to,amount,token', ...rows.map((row) => Object.values(row).join(','))].join('\n');
  writeFileSync(
    own,
    csv([
      ...lines.slice(0, -1),
      { lineId: 'line-x', to: suppliers[0] ?? '', amount: '9', token: 'USDC' },
    ]),
  );
  const compared = await cli('approve', 'payout:march', '--key', ann.path, '--file', own);
  expect(compared.stderr).toContain('line-x was');
  writeFileSync(own, csv(lines));
  const approved = await cli('approve', 'payout:march', '--key', ann.path, '--file', own);
  expect(approved.stderr).toContain(`USDC to ${lines.length} lines`);
  expect(approved.code).toBe(0);
  await untilAsked('payout:march', 1);
  await restartWith({});
  await untilAsked('payout:march', 1);
  await approveOffline('payout:march', bo);
  await untilPaid(before.length + 20);
  await restartWith({});
  expect(await started.receipt()).toMatchObject({ lines: lines.length, paid: lines.length });
  expect(ascending(await paid())).toEqual(ascending([...before, ...unitsOf(lines)]));
});

test('a supplier more half-way and an approver less after that: the rest is asked for, and paid once', async () => {
  const before = await paid();
  const late = someone();
  const lines = linesTo([...suppliers, late], 40);
  const order = { payoutId: 'april', wallets: walletIds(), linesPerS: 5 };
  const started = await steadfastWith(backend.sign).payout(order, lines);
  const approve = (key: { path: string }) => cli('approve', 'payout:april', '--key', key.path);
  await untilAsked('payout:april');
  await approve(ann);
  await untilAsked('payout:april', 1);
  await approve(bo);
  await untilPaid(before.length + 6);
  const to = [...suppliers, late];
  await restartWith({ to });
  await untilPaid(before.length + 13);
  await restartWith({ to, treasurers: ['bo', 'cy'] });
  await untilAsked('payout:april', 1);
  expect((await paid()).length).toBeLessThan(before.length + lines.length);
  await approve(cy);
  const receipt = await started.receipt();
  expect(receipt).toMatchObject({ lines: 40, unknown: 0, skipped: 0 });
  expect(receipt.failed).toBeGreaterThan(0);
  const again = await steadfastWith(backend.sign).retry('payout:april');
  await untilAsked('payout:april');
  await approve(bo);
  await untilAsked('payout:april', 1);
  await approve(cy);
  expect(await again.receipt()).toMatchObject({ lines: 40, paid: 40 });
  expect(ascending(await paid())).toEqual(ascending([...before, ...unitsOf(lines)]));
});

test('a payout that nobody has signed pays nothing, nor one whose lines are others than were signed', async () => {
  const before = await paid();
  const unsigned = await steadfastWith().payout(
    { payoutId: 'unsigned', wallets: walletIds() },
    linesTo(suppliers, 3),
  );
  expect(await unsigned.receipt()).toMatchObject({ paid: 0, failed: 3 });
  const lines = linesTo(suppliers, 3);
  const file = join(folder, 'may.json');
  const order = { payoutId: 'may', wallets: walletIds() };
  writeFileSync(file, JSON.stringify({ ...order, lines }));
  const printed = await runCli(['request', 'payout', 'payout:may', '--file', file], {
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_ENTITY_ID: entity,
  });
  const request = await backend.sign(printed.stdout, 'request');
  const signed = { ...order, request };
  await expect(steadfastWith().payout(signed, linesTo(suppliers, 3))).rejects.toThrow(
    'request: it was signed for 3 with the root',
  );
  expect(await paid()).toEqual(before);
  const { receipt } = await steadfastWith().payout(signed, lines);
  expect(await receipt()).toMatchObject({ paid: 3 });
});
