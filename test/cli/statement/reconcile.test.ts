import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import type { Archive } from '../../../src/books/archive/archive';
import { openArchive } from '../../../src/books/archive/openArchive';
import type { ReconcileRow } from '../../../src/books/reconcile/finding';
import type { StatementRow } from '../../../src/books/statement';
import type { CustodyApi } from '../../../src/custody/endpoints';
import type { Transaction } from '../../../src/custody/objects/transaction';
import type { Wallet } from '../../../src/custody/objects/wallet';
import { refId } from '../../../src/custody/reference';
import { createAccountIndex } from '../../../src/store/index/accountIndex';
import { openIndexFile } from '../../../src/store/index/store';
import { editRecord } from '../../support/books/editRecord';
import { steal } from '../../support/books/steal';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { type Orders, runOrders } from '../../support/orders';
import { inSandbox, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';
import { runCli, startCli } from '../runCli';

const folder = newFolder();
const dataDir = join(folder, 'sandbox');
const store = `file:${join(folder, 'store.db')}`;
const mark = `${process.pid}-${Date.now()}`;

const sandbox = inSandbox({ dataDir, states: 'hosted', settleMs: 0 });
let orders: Orders;
let archive: Archive;
let wallet: Wallet;
let paid: Transaction[];

beforeAll(async () => {
  archive = await openArchive(store);
  stopLater(() => archive.close());
  const { client, baseUrl, rpcUrl } = sandbox;
  orders = await runOrders(client, { baseUrl, archive, chainRpcUrl: rpcUrl });
  stopLater(() => orders.stop());
  wallet = await sandbox.usedWallet('EOA');
  paid = await Promise.all([1, 2, 3, 4].map((n) => pay(`transfer:${mark}-${n}`, `0.${n}`)));
});

/** Pays by an order. Returns the record of the service. */
async function pay(id: string, amount: string): Promise<Transaction> {
  const order = { from: { walletId: wallet.id }, to: someone(), amount, token: 'USDC' };
  const { transactionId } = await orders.steadfast.execute('transferStablecoin', id, order);
  return (await sandbox.client.getTransaction({ id: transactionId })).transaction;
}

/** Sends a transfer past Steadfast, by the service's own interface. */
async function sendByHand(fields: object): Promise<Transaction> {
  const { id } = await sandbox.client.createTransfer(transferOf(wallet, someone(), fields));
  return sandbox.settled(id);
}

/** All that the environment of an operator has. */
function env(): Record<string, string> {
  const { baseUrl, rpcUrl, secrets } = sandbox;
  return {
    TEMPORAL_ADDRESS: temporalAddress(),
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: secrets.apiKey,
    CHAIN_RPC_URL: rpcUrl,
    STEADFAST_STORE: store,
  };
}

function steadfast(...args: string[]) {
  return runCli(args, env());
}

async function reconciled(...flags: string[]) {
  const { code, stdout, stderr } = await steadfast(
    'reconcile',
    ...['--from', '2020-01-01', '--json', '--all', ...flags],
  );
  if (stdout === '') throw new Error(stderr);
  const told: { findings: ReconcileRow[]; counts: Record<string, number>; notLookedAt: string[] } =
    JSON.parse(stdout);
  return { code, ...told };
}

/** The rows about one transaction. */
function about(findings: readonly ReconcileRow[], { id }: Transaction): ReconcileRow[] {
  return findings.filter(({ transactionId }) => transactionId === id);
}

test('everything that orders have paid is matched to the base unit', async () => {
  const { findings } = await reconciled();
  for (const [index, record] of paid.entries()) {
    expect(about(findings, record)).toEqual([
      expect.objectContaining({
        class: 'matched',
        order: `transfer:${mark}-${index + 1}`,
        amount: `0.${index + 1}`,
        token: 'USDC',
        txHash: record.txHash,
        logIndex: expect.any(Number),
      }),
    ]);
  }
});

test('the lines of a batch have rows of their own, with their references', async () => {
  const payoutId = `lines-${mark}`;
  const lines = ['a', 'b'].map((lineId) => ({
    lineId,
    to: someone(),
    amount: '0.05',
    token: 'USDC',
    reference: `invoice ${lineId}`,
  }));
  const started = await orders.steadfast.payout({ payoutId, wallets: [wallet.id] }, lines);
  await started.receipt();
  const order = `payout:${payoutId}`;
  const { findings } = await reconciled();
  const own = findings.filter((one) => one.order === order);
  expect(own.map(({ class: name, line, txHash }) => ({ name, line, txHash }))).toEqual(
    ['a', 'b'].map((line) => ({ name: 'matched', line, txHash: own[0]?.txHash })),
  );
  const wanted = ['--wallet', wallet.id, '--from', '2020-01-01'];
  const { stdout } = await steadfast('statement', ...wanted);
  const rows: StatementRow[] = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(
    rows.flatMap((row) =>
      row.order === order && row.row === 'out' ? [[row.line, row.reference]] : [],
    ),
  ).toEqual([
    ['a', 'invoice a'],
    ['b', 'invoice b'],
  ]);
});

test('a missing receipt, and an amount that was changed on the way, are named', async () => {
  const { client, baseUrl, rpcUrl } = sandbox;
  const changing: CustodyApi = {
    ...client,
    createTransfer: (input) => client.createTransfer({ ...input, amounts: ['3.5'] }),
  };
  const without = await runOrders(changing, { baseUrl, chainRpcUrl: rpcUrl });
  const id = `transfer:${mark}-changed-on-the-way`;
  const order = { from: { walletId: wallet.id }, to: someone(), token: 'USDC' };
  await without.steadfast.start('transferStablecoin', id, { ...order, amount: '3' });
  await without.progress(id, ({ status }) => status === 'NeedsOperator');
  await without.replace(client, { baseUrl });
  const other = `transfer:${mark}-no-receipt`;
  const receipt = await without.steadfast.execute('transferStablecoin', other, {
    ...order,
    amount: '0.9',
  });
  const { code, findings } = await reconciled();
  expect(code).toBe(3);
  expect(findings.filter((one) => one.transactionId === receipt.transactionId)).toEqual([
    expect.objectContaining({ class: 'missing here', order: other, amount: '0.9' }),
  ]);
  expect(findings.filter((one) => one.order === id && one.class === 'amount differs')).toEqual([
    expect.objectContaining({
      why: expect.stringMatching(/^Ordered were 3 USDC .* shows 3.5 USDC/),
    }),
  ]);
  await orders.client.workflow.getHandle(id).terminate('the test is over');
  await without.stop();
});

test('the same is found with the account index of the workers, and noted while it is empty', async () => {
  const empty = await steadfast('reconcile', '--from', '2020-01-01', '--indexed');
  expect(empty.stderr).toContain('The account index is not complete yet.');
  const { client: custody, baseUrl } = sandbox;
  const database = openIndexFile(join(folder, 'store.db'));
  const index = createAccountIndex({ custody, graceMs: 0, store: { database, baseUrl } });
  await index.lookUp([]);
  database.close();
  const [indexed, listed] = [await reconciled('--indexed'), await reconciled()];
  expect(indexed.findings).toEqual(listed.findings);
  expect(indexed.notLookedAt).toContain(
    'records without a reference of ours, since --indexed is set',
  );
});

test('what is planted is named in its class, with its row', async () => {
  const before = await reconciled();
  const [first, second, third, fourth] = paid;
  if (!first || !second || !third || !fourth) throw new Error('Too little was paid.');

  // A line is paid twice by hand, under the reference of the first payment.
  const twice = await sendByHand({ refId: first.refId, amounts: ['0.1'] });
  // The amount is changed on the way: order 2.0, sent 2.5 with the reference of that order.
  const parts = {
    workflowId: `transfer:${mark}-changed`,
    step: 'transfer',
    item: '1',
    generation: 0,
  };
  const changed = await sendByHand({ refId: refId(parts), amounts: ['2.5'] });
  const lone = await sendByHand({ amounts: ['0.7'] });
  await sandbox.request('POST', `${sandbox.origin}/_sandbox/faults`, {
    headers: {},
    body: { seed: 1, rules: [{ kind: 'failOnChain', count: 1 }] },
  });
  const failed = await sendByHand({
    refId: refId({
      workflowId: `transfer:${mark}-failed`,
      step: 'transfer',
      item: '1',
      generation: 0,
    }),
  });
  await sandbox.client.requestDrip({
    address: wallet.address,
    blockchain: 'ARC-TESTNET',
    eurc: true,
  });
  editRecord(dataDir, second, (doc) => {
    doc.amounts = ['0.25'];
  });
  editRecord(dataDir, third, (doc) => {
    doc.networkFee = '1';
  });
  editRecord(dataDir, fourth, (doc) => {
    doc.txHash = `0x${'ab'.repeat(32)}`;
  });
  const stolen = await steal({ sandbox, dataDir }, wallet, '1.5');

  const { code, findings } = await reconciled();
  const classesOf = (record: Transaction) => about(findings, record).map((one) => one.class);
  expect(code).toBe(3);
  expect([classesOf(first), classesOf(twice)].flat().sort()).toContain('paid twice');
  expect(classesOf(changed)).toEqual(['missing here']);
  expect(classesOf(lone)).toContain('moved by somebody else');
  expect(classesOf(failed)).toEqual(['fee without effect']);
  expect(about(findings, second)).toEqual([
    expect.objectContaining({
      class: 'amount differs',
      why: expect.stringContaining('The service shows 0.25 USDC'),
    }),
  ]);
  // The amount is right. The gas has a row of its own.
  expect(about(findings, third)).toEqual([
    expect.objectContaining({ class: 'matched', amount: '0.3' }),
    expect.objectContaining({
      class: 'amount differs',
      amount: expect.stringMatching(/^0\.0/),
      why: expect.stringContaining('The service shows a fee of 1'),
    }),
  ]);
  expect(classesOf(fourth)).toEqual(['missing on chain']);
  const byHand = findings.filter(({ txHash }) => txHash === stolen);
  expect(byHand.map((one) => one.class)).toEqual([
    'moved by somebody else',
    'moved by somebody else',
  ]);
  expect(byHand[0]).toMatchObject({ amount: '1.5', token: 'USDC', wallet: wallet.address });
  const isNew = (one: ReconcileRow) => !before.findings.some(({ txHash }) => txHash === one.txHash);
  const gifts = findings.filter((one) => one.class === 'inbound' && isNew(one));
  expect(gifts).toEqual([expect.objectContaining({ amount: '20', token: 'EURC' })]);
});

test('the gas of a cancelled transaction is told with its order, though its hash is another one', async () => {
  const { client, origin } = sandbox;
  const rules = [{ kind: 'stuck', count: 1 }];
  const url = `${origin}/_sandbox/faults`;
  await sandbox.request('POST', url, { headers: {}, body: { seed: 1, rules } });
  const workflowId = `transfer:${mark}-cancelled`;
  const parts = { workflowId, step: 'transfer', item: '1', generation: 0 };
  const { id } = await client.createTransfer(
    transferOf(wallet, someone(), { refId: refId(parts) }),
  );
  for (let state = ''; state !== 'STUCK'; ) {
    ({ state } = (await client.getTransaction({ id })).transaction);
  }
  await client.cancelTransaction({ id, idempotencyKey: randomUUID() });
  const record = await sandbox.settled(id);
  expect(record).toMatchObject({ state: 'CANCELLED', networkFee: expect.any(String) });
  const { findings } = await reconciled();
  expect(about(findings, record)).toEqual([
    expect.objectContaining({ class: 'fee without effect', order: workflowId }),
  ]);
  const ofGas = findings.filter(({ amount }) => amount === record.networkFee);
  expect(ofGas.map((one) => one.class)).toEqual(['fee without effect']);
});

test('a watch shows each row once, and a theft behind hundreds of rows, until it is interrupted', async () => {
  const drip = { address: (await sandbox.wallet('EOA')).address, blockchain: 'ARC-TESTNET' };
  for (let n = 0; n < 110; n++) {
    await sandbox.client.requestDrip({ ...drip, usdc: true, eurc: true });
  }
  const args = ['reconcile', '--from', '2020-01-01', '--watch', '--every', '1s'];
  const { child, ended } = startCli(args, env());
  let shown = '';
  child.stdout?.on('data', (chunk) => {
    shown += String(chunk);
  });
  const rounds = () => shown.split('\n').filter((line) => line.startsWith('blocks ')).length;
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere() && child.exitCode === null) await sleep(100);
  };
  await until(() => rounds() > 0);
  const lone = await sendByHand({ amounts: ['0.3'] });
  const soFar = rounds();
  await until(() => rounds() > soFar + 2);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 3 });
  // The payment and its gas.
  expect(shown.split(`in ${lone.txHash}`).length - 1).toBe(2);
  const { findings } = await reconciled();
  expect(findings.filter((row) => row.class === 'inbound')).toHaveLength(200);
  expect(about(findings, lone).map((row) => row.class)).toContain('moved by somebody else');
});

test('an archive that was edited is refused, with the row', async () => {
  const database = new Database(join(folder, 'store.db.archive'));
  database.exec(`UPDATE receipts SET doc = replace(doc, '"amount":"0.2"', '"amount":"0.9"')`);
  database.close();
  const ran = await steadfast('reconcile', '--from', '2020-01-01', '--out', join(folder, 'rows'));
  expect(ran).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/archive was changed. Row \d/),
  });
  expect(existsSync(join(folder, 'rows'))).toBe(false);
});
