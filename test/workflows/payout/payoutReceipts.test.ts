import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openArchive } from '../../../src/books/archive/openArchive';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { createServe } from '../../support/orders';
import {
  linesOf,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../support/payouts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox';
import { type ServiceProxy, startProxy } from '../../support/service/proxy';

const folder = newFolder();
const serve = createServe();
let sandbox: TestSandbox;
let chain: ServiceProxy;
beforeAll(async () => {
  [sandbox, chain] = await Promise.all([startTestSandbox(), startProxy()]);
  stopLater(() => sandbox.stop());
  chain.forwardTo(sandbox.baseUrl);
  stopLater(() => chain.close());
});

test('a payout that ends between the record and the receipt of a line has it as paid when it is started again', async () => {
  let answers = false;
  chain.onAnswer = async () => answers;
  const chainRpcUrl = new URL('/_sandbox/rpc', chain.baseUrl).href;
  const orders = await serve(sandbox.client, { baseUrl: sandbox.baseUrl, chainRpcUrl });
  const lines = newLines(2);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch: false });
  const { workflowId } = await orders.steadfast.payout(order, lines);
  const settledLines = async () =>
    (await linesOf(orders, workflowId)).filter(({ outcome, txHash }) => {
      return outcome === 'waiting' && txHash !== undefined;
    });
  while ((await settledLines()).length < lines.length) await sleep(100);
  for (const id of [workflowId, `${workflowId}:shard:1`]) {
    await orders.client.workflow.getHandle(id).terminate('a test');
  }
  answers = true;
  const again = await orders.steadfast.payout(order, lines);
  expect(await again.receipt()).toMatchObject({ lines: 2, paid: 2, failed: 0 });
  const paid = await paidOnChain(sandbox, lines);
  expect(paid).toEqual(paidByResults(await linesOf(orders, workflowId)));
  expect(Object.values(paid).flat()).toHaveLength(2);
});

test('a part that is terminated after it has paid a line leaves its receipt to the next run', async () => {
  chain.onAnswer = async () => true;
  const archive = await openArchive(`file:${join(folder, 'store.db')}`);
  stopLater(() => archive.close());
  const chainRpcUrl = new URL('/_sandbox/rpc', chain.baseUrl).href;
  const orders = await serve(sandbox.client, { baseUrl: sandbox.baseUrl, chainRpcUrl, archive });
  const lines = newLines(2);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch: false, linesPerS: 0.01 });
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  const paid = async () =>
    (await linesOf(orders, workflowId)).filter(({ outcome }) => outcome === 'paid');
  while ((await paid()).length === 0) await sleep(100);
  await orders.client.workflow.getHandle(`${workflowId}:shard:1`).terminate('a test');
  await orders.steadfast.rate(workflowId, null);
  expect(await receipt()).toMatchObject({ lines: 2, paid: 2 });
  const kept: string[] = [];
  for await (const row of archive.rowsFrom(1)) {
    expect(row.receipt.chain.blockNumber).toBeGreaterThan(0);
    kept.push(row.receipt.item);
  }
  expect(kept.sort()).toEqual(lines.map(({ lineId }) => lineId).sort());
});

test('a line that ends without a transaction has no receipt of the batch that failed before it', async () => {
  chain.onAnswer = async () => true;
  const archive = await openArchive(`file:${join(folder, 'halved.db')}`);
  stopLater(() => archive.close());
  const chainRpcUrl = new URL('/_sandbox/rpc', chain.baseUrl).href;
  const orders = await serve(sandbox.client, { baseUrl: sandbox.baseUrl, chainRpcUrl, archive });
  const order = payoutOf(await payers(sandbox, 'SCA'), { batch: { linesMax: 2 } });
  const kinds = [
    { kind: 'failOnChain', count: 1 },
    { kind: 'denied', count: 2 },
  ];
  const faults = `${sandbox.origin}/_sandbox/faults`;
  await sandbox.request('POST', faults, { headers: {}, body: { seed: 1, rules: kinds } });
  const { workflowId, receipt } = await orders.steadfast.payout(order, newLines(2));
  expect(await receipt()).toMatchObject({ lines: 2, failed: 2 });
  const ended = await linesOf(orders, workflowId);
  expect(ended.map(({ outcome, txHash }) => [outcome, txHash])).toEqual([
    ['failed', undefined],
    ['failed', undefined],
  ]);
  const kept: unknown[] = [];
  for await (const row of archive.rowsFrom(1)) kept.push(row.receipt);
  expect(kept).toEqual([]);
});
