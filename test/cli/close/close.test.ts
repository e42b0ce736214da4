import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Archive } from '../../../src/books/archive/archive';
import { openArchive } from '../../../src/books/archive/openArchive';
import type { Closed } from '../../../src/books/reconcile/closeDay';
import type { StatementRow } from '../../../src/books/statement';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { fromBaseUnits } from '../../../src/custody/objects/amount';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { editRecord } from '../../support/books/editRecord';
import { steal } from '../../support/books/steal';
import { untilRest } from '../../support/chain/outside';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { type Orders, runOrders } from '../../support/orders';
import { startTestSandbox, type TestSandbox, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';

const folder = newFolder();
const dataDir = join(folder, 'sandbox');
const mark = `${process.pid}-${Date.now()}`;
const dayMs = 86_400_000;

let sandbox: TestSandbox;
let orders: Orders;
let archive: Archive;
let wallet: Wallet;
let stolen: Hex;
/** The ids of the transactions that orders have paid with. */
let paid: string[];
/** The day of all payments, which is over, and the day after it. */
let [day, next] = ['', ''];
/** While it is set, the service does not answer about its list. */
let held: Promise<void> | undefined;

beforeAll(async () => {
  [day, next] = [dayOf(Date.now() - dayMs), dayOf(Date.now())];
  const behind = aDayBehind();
  sandbox = await startTestSandbox({ dataDir, states: 'hosted', settleMs: 0 });
  stopLater(() => sandbox.stop());
  archive = await openArchive(`file:${join(folder, 'store.db')}`);
  stopLater(() => archive.close());
  behind.mockRestore();
  const { client, baseUrl, rpcUrl } = sandbox;
  const holding: CustodyApi = {
    ...client,
    listTransactions: async (input) => {
      await held;
      return client.listTransactions(input);
    },
  };
  orders = await runOrders(holding, { baseUrl, archive, chainRpcUrl: rpcUrl });
  stopLater(() => orders.stop());
  const again = aDayBehind();
  wallet = await sandbox.fundedWallet('EOA');
  paid = await Promise.all(
    [1, 2, 3].map(async (n) => {
      const order = { from: { walletId: wallet.id }, to: someone(), amount: `0.${n}` };
      const id = `transfer:${mark}-${n}`;
      const all = { ...order, token: 'EURC' };
      return (await orders.steadfast.execute('transferStablecoin', id, all)).transactionId;
    }),
  );
  // The entity secret is enough to pay with a made-up reference.
  const forged = { refId: 'x/y 0123456789abcdef.g0', amounts: ['0.7'] };
  await sandbox.settled((await client.createTransfer(transferOf(wallet, someone(), forged))).id);
  stolen = await steal({ sandbox, dataDir }, wallet, '1.5');
  // Later blocks of its own would be of today.
  await untilRest(sandbox);
  again.mockRestore();
});

/** The service and its chain live a day behind Temporal, so that their day can be closed. */
function aDayBehind(): jest.SpyInstance {
  const now = Date.now;
  return jest.spyOn(Date, 'now').mockImplementation(() => now() - dayMs);
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Runs a command as an operator of this queue does. */
function steadfast(...args: string[]) {
  return runCli(args, {
    TEMPORAL_ADDRESS: temporalAddress(),
    STEADFAST_TASK_QUEUE: orders.taskQueue,
    STEADFAST_KEY_SCOPE: mark,
    CHAIN_RPC_URL: sandbox.rpcUrl,
    CUSTODY_BASE_URL: sandbox.baseUrl,
    CUSTODY_API_KEY: sandbox.secrets.apiKey,
  });
}

async function feeOf(hash: Hex): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await sandbox.chain.client.getTransactionReceipt({ hash });
  return gasUsed * effectiveGasPrice;
}

type Told = { workflowId: string; execution: string; result: Closed };

test('a day is closed only after a final block behind its end', async () => {
  const early = await steadfast('close', day);
  expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('newest final block') });
  const never = await steadfast('close', '2026-02-30');
  expect(never).toMatchObject({ code: 2, stderr: expect.stringContaining('2026-01-31') });
  expect(await steadfast('close', 'show', '2020-01-01')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Temporal knows no close of 2020-01-01'),
  });
  const timestampS = Math.floor(Date.now() / 1_000);
  await sandbox.chain.mineBlock({ timestampS, transactions: [] });
});

test('a schedule closes the day before, and names what somebody else has moved', async () => {
  const id = `books-${mark}`;
  const created = await steadfast(
    ...['schedule', 'create', id, '--kind', 'dailyClose', '--cron', '0 0 * * *', '--json'],
  );
  expect(created).toMatchObject({ code: 0 });
  const triggered = await steadfast('schedule', 'trigger', id, '--period', next, '--json');
  const { workflowId } = JSON.parse(triggered.stdout);
  expect(workflowId).toMatch(new RegExp(`^${mark}:close:${day}:\\d+$`));
  const handle = orders.client.workflow.getHandle(workflowId);
  await handle.result();
  expect((await handle.describe()).memo).toMatchObject({
    close: expect.stringMatching(
      /and a person has to look: 2 moved by somebody else · 1 missing here · /,
    ),
  });

  const { code, stdout } = await steadfast('close', 'show', day);
  expect(code).toBe(3);
  expect(stdout).toContain(workflowId);
  expect(stdout).toContain('moved by somebody else: 1.5 USDC');
  expect(stdout).toContain(stolen);
  expect(stdout).toMatch(
    /missing here: \S+ 0\.7 USDC .*\n +Neither Temporal nor the archive knows/,
  );

  const document = JSON.parse((await steadfast('close', 'show', day, '--json')).stdout);
  const [{ result }]: [Told] = document.closes.filter((one: Told) => one.workflowId === workflowId);
  const euros = result.balances.find(({ token }) => token === 'EURC');
  expect(euros).toMatchObject({ in: '20', out: '0.6', fees: '0', closing: '19.4' });
  expect(result.sums).toMatchObject({
    matched: { EURC: '0.6' },
    // Its gas is paid in USDC too.
    'moved by somebody else': { USDC: fromBaseUnits(15n * 10n ** 17n + (await feeOf(stolen)), 18) },
  });
  expect(result.hasArchive).toBe(true);
  await steadfast('schedule', 'delete', id);
});

test('closes of other scopes are not among those of a day', async () => {
  const quiet = '2020-01-02';
  const [own, other] = [mark, `${mark}-b`].map((scope) => `${scope}:close:${quiet}:7`);
  for (const workflowId of [other, own]) {
    await orders.client.workflow.start('dailyClose', {
      workflowId: String(workflowId),
      taskQueue: 'nobody',
    });
  }
  // Temporal's list is a moment behind.
  for (let look = 0; look < 50; look += 1) {
    if ((await steadfast('close', 'show', quiet)).code !== 2) break;
    await sleep(100);
  }
  const { stdout } = await steadfast('close', 'show', quiet, '--json');
  const shown = JSON.parse(stdout).closes.map(({ workflowId }: Told) => workflowId);
  expect(shown).toEqual([own]);
  const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: orders.taskQueue };
  const unscoped = await runCli(['close', 'show', quiet], env);
  expect(unscoped).toMatchObject({ code: 2, stderr: expect.stringContaining('knows no close') });
});

test('a closed day is valued at the rate of that day', async () => {
  const rates = join(folder, 'rates.csv');
  writeFileSync(rates, `date,currency,token,rate\n${day},EUR,EURC,1.25\n`);
  const { stdout } = await steadfast('close', 'show', day, '--rates', rates, '--json');
  const { closes } = JSON.parse(stdout);
  const euros = closes[0].result.balances.find(({ token }: { token: string }) => token === 'EURC');
  const values = { in: '16.00', out: '0.48', closing: '15.52', currency: 'EUR', rateDay: day };
  expect(euros).toMatchObject({ closing: '19.4', values });
  const told = await steadfast('close', 'show', day, '--rates', rates);
  expect(told.stdout).toMatch(new RegExp(`in EUR, at 1.25 of ${day} .* 15.52\n`));
  expect(told.stdout).toContain('Without a value: ');
  expect(await steadfast('close', 'show', day, '--rates', 'none.csv')).toMatchObject({ code: 2 });
});

test('a second start finds the result, and some wallets are a close of their own', async () => {
  const again = await steadfast('close', day);
  expect(again).toMatchObject({ code: 3, stdout: expect.stringContaining(stolen) });
  const other = await anotherWallet();
  const own = await steadfast('close', day, '--wallet', other, '--json');
  expect(JSON.parse(own.stdout).workflowId).toMatch(/:[0-9a-f]{8}$/);
  const stranger = '0c3f3d3e-1111-4222-8333-4444aaaa6666';
  expect(await steadfast('close', day, '--wallet', stranger)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is no wallet of this account'),
  });
});

/** Another wallet of the account, which holds nothing. */
async function anotherWallet(): Promise<string> {
  const { wallets } = await sandbox.client.listWallets({});
  return wallets.find(({ id }) => id !== wallet.id)?.id ?? wallet.id;
}

test('a cancelled close ends at once, and is made again when it is asked for', async () => {
  let release = (): void => {};
  held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const started = await steadfast('close', day, '--again', '--no-wait', '--json');
  const { workflowId } = JSON.parse(started.stdout);
  const handle = orders.client.workflow.getHandle(workflowId);
  while (((await handle.describe()).raw.pendingActivities ?? []).length === 0) await sleep(50);
  expect(await steadfast('cancel', workflowId, '--reason', 'not now')).toMatchObject({ code: 0 });
  await handle.result().catch(() => {});
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  const shown = await steadfast('close', 'show', day);
  expect(shown).toMatchObject({ stdout: expect.stringContaining('CANCELLED') });
  release();
  held = undefined;
  expect(await steadfast('close', day)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(stolen),
  });
});

test('close, reconcile and statement agree on a day that is over and has no blocks', async () => {
  const quiet = dayOf(Date.now() + dayMs);
  const period = ['--from', quiet, '--to', quiet];
  const wallets = ['--wallet', wallet.id];
  for (const args of [
    ['close', quiet],
    ['reconcile', ...period],
    ['statement', ...wallets, ...period],
  ]) {
    expect(await steadfast(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('final block'),
    });
  }
  const timestampS = Math.floor((Date.now() + 3 * dayMs) / 1_000);
  await sandbox.chain.mineBlock({ timestampS, transactions: [] });
  const none = { code: 0, stdout: expect.stringContaining('no blocks, ') };
  expect(await steadfast('close', quiet)).toMatchObject(none);
  expect(await steadfast('reconcile', ...period)).toMatchObject(none);
  const told = await steadfast('statement', ...wallets, ...period);
  expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining('0 movements') });
  const rows: StatementRow[] = told.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const balances = (own: string) =>
    rows.flatMap(({ row, token, balance }) => (row === own ? [`${balance} ${token}`] : []));
  expect(balances('closing')).toEqual(balances('opening'));
  expect(balances('opening')).toContain('19.4 EURC');
});

test('a record that became final after its day was closed is looked at on the next one', async () => {
  const [id = ''] = paid;
  editRecord(dataDir, { id }, (doc) => {
    doc.stage = 'FAILED';
    doc.updatedAtMs = Date.now();
  });
  const { code, stdout } = await steadfast('close', next);
  expect(code).toBe(3);
  expect(stdout).toContain('a person has to look: 1 called failed.');
  expect(stdout).toContain('The service shows FAILED, but the chain shows that it moved money.');
  const all = JSON.parse((await steadfast('close', 'show', next, '--json')).stdout);
  const [{ result }]: [Told] = all.closes;
  // The sums of the day are its own.
  const euros = result.balances.find(({ token }) => token === 'EURC');
  expect(euros).toMatchObject({ opening: '19.4', in: '0', out: '0', closing: '19.4' });
});
