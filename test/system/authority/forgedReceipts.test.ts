import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openExistingArchive } from '../../../src/books/archive/openArchive';
import type { ArchivedReceipt } from '../../../src/books/receipt';
import { createSteadfast } from '../../../src/client/client';
import { idempotencyKey } from '../../../src/custody/idempotencyKey';
import type { Grounds } from '../../../src/custody/objects/grounds';
import type { Wallet } from '../../../src/custody/objects/wallet';
import type { Child } from '../../../src/local/childProcess';
import { newSealKey, sealed } from '../../../src/writer/signing/seal';
import { runCli } from '../../cli/runCli';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { inSandbox, usdc } from '../../support/sandbox';
import { limitOf, payee, stranger } from '../../writer/writer';
import { type HostileCaller, hostileCaller } from './hostileCaller';
import { startPolicedWorker } from './policedWorker';

const taskQueue = `forged-${process.pid}-${Date.now()}`;
const folder = newFolder();
const store = `file:${join(folder, 'store.db')}`;
const workflowId = `transfer:${randomUUID()}`;
const sandbox = inSandbox();
let caller: HostileCaller;
let worker: Child;
let wallet: Wallet;

beforeAll(async () => {
  wallet = await sandbox.usedWallet('EOA');
  const policy = { version: 1, rules: [limitOf(wallet)] };
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy));
  worker = await startPolicedWorker(sandbox, { folder, taskQueue, STEADFAST_STORE: store });
  stopLater(() => worker.stop());
  caller = await hostileCaller(taskQueue, sandbox.baseUrl);
  stopLater(() => caller.close());
});

/** The state of a run that never was: it has paid a stranger, on the approval of two people. */
function invented(order: object): object {
  const parts = { workflowId, step: 'transfer', item: '1', generation: 0 };
  const grounds: Grounds = { policy: '1 d1', rules: ['out'], signedBy: 'backend' };
  const approved = { ...grounds, approvedBy: ['ann', 'bo'] };
  const money = { from: wallet.address, to: stranger, amount: '999', baseUnits: '999000000' };
  const token = { name: 'USDC', address: usdc, decimals: 6 };
  const settled = {
    step: 'transfer',
    item: '1',
    generation: 0,
    transactionId: randomUUID(),
    txHash: `0x${'ab'.repeat(32)}`,
    outcome: 'completed',
    kind: 'transfer',
    sender: wallet.address,
    money: { ...money, token },
    grounds: sealed(newSealKey(), idempotencyKey(parts), approved),
    time: new Date().toISOString(),
  };
  const opened = {
    order,
    blockchain: 'ARC-TESTNET',
    searchAttributes: false,
    archives: true,
    memory: {
      version: 1,
      baseUrl: sandbox.baseUrl,
      money: { kind: 'transferStablecoin' },
      generations: {},
    },
    earlier: { bornAtMs: 0, writes: {}, others: 'clean', generations: {} },
  };
  const nothing = { done: {}, writes: {}, made: {}, progress: [], over: [], doubtful: false };
  return { ...nothing, opened, settled: [settled], cancelAsked: true };
}

async function receipts(): Promise<ArchivedReceipt[]> {
  const archive = await openExistingArchive(store);
  const found: ArchivedReceipt[] = [];
  for await (const one of archive.receipts({ orderId: workflowId })) found.push(one);
  await archive.close();
  return found;
}

test('a receipt that an invented run hands on has no grounds, and is never shown alone', async () => {
  const order = { from: { walletId: wallet.id }, to: payee, amount: '0.01', token: 'USDC' };
  const args = [order, invented(order)];
  const started = caller.client.workflow.execute('continuing', { workflowId, taskQueue, args });
  await expect(started).rejects.toThrow();
  const [forged, ...others] = await receipts();
  expect(others).toEqual([]);
  expect(forged?.money?.amount).toBe('999');
  expect(forged?.grounds).toBeUndefined();
  const steadfast = createSteadfast({ client: caller.client, taskQueue });
  await steadfast.execute('transferStablecoin', workflowId, order);
  const env = { STEADFAST_STORE: store };
  const { code, stdout, stderr } = await runCli(['receipt', workflowId], env);
  const shown: ArchivedReceipt[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(shown.map(({ money }) => money?.amount).sort()).toEqual(['0.01', '999']);
  expect(stderr).toContain(
    `Two receipts of ${workflowId} (transfer/1) contradict. Believe neither`,
  );
  expect(code).toBe(3);
  const [own] = shown.filter(({ money }) => money?.amount === '0.01');
  expect(own?.grounds).toMatchObject({ rules: ['out'], seal: { ledger: expect.any(String) } });
  const logs = await sandbox.transfers({ from: wallet.address });
  expect(logs.map(({ value }) => value)).toEqual([10_000n]);
});
