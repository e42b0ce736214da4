import { setTimeout as sleep } from 'node:timers/promises';
import { batchIn } from '../../../../src/custody/batch';
import type { CustodyApi } from '../../../../src/custody/endpoints';
import { WithheldError } from '../../../../src/custody/errors';
import { createServe, type Orders } from '../../../support/orders';
import {
  linesOf,
  newLine,
  newLines,
  openedPayout,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../../support/payouts';
import { inSandbox } from '../../../support/sandbox';

const serve = createServe();
let orders: Orders;
const sandbox = inSandbox();
beforeAll(async () => {
  orders = await servedBy(sandbox.client);
});

function servedBy(custody: CustodyApi): Promise<Orders> {
  const { baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  return serve(custody, { baseUrl, chainRpcUrl });
}

/** Puts an account on the block list of every coin, or takes it off. */
async function block(method: 'PUT' | 'DELETE', address: string): Promise<void> {
  const url = `${sandbox.origin}/_sandbox/blocklist/${address}`;
  expect((await sandbox.request(method, url, { headers: {} })).status).toBe(200);
}

/** The outcomes of the lines by the chain and by the payout, which must be the same. */
async function outcomeOf(by: Orders, id: string, lines: ReturnType<typeof newLines>) {
  const results = await linesOf(by, id);
  const paid = await paidOnChain(sandbox, lines);
  expect(paid).toEqual(paidByResults(results));
  const hashes = Object.values(paid).flat();
  return { results, logs: hashes.length, transactions: new Set(hashes).size };
}

const batch = { linesMax: 10 };

describe.each(['SCA', 'EOA'] as const)('a payout in batches from a wallet of type %s', (type) => {
  test('pays each line once, and many with one transaction', async () => {
    const lines = newLines(25);
    const order = payoutOf(await payers(sandbox, type), { batch });
    const started = await orders.steadfast.payout(order, lines);
    expect(await started.receipt()).toMatchObject({ lines: 25, paid: 25, failed: 0, unknown: 0 });
    const outcome = await outcomeOf(orders, started.workflowId, lines);
    expect(outcome).toMatchObject({ logs: 25, transactions: 3 });
    expect(new Set(outcome.results.map((line) => line.batch)).size).toBe(3);
  });

  test('pays all but a line to a blocked account, which fails with its reason', async () => {
    const lines = newLines(12);
    const blocked = lines[4]?.to ?? '';
    await block('PUT', blocked);
    const order = payoutOf(await payers(sandbox, type), { batch: { linesMax: 12 } });
    const started = await orders.steadfast.payout(order, lines);
    expect(await started.receipt()).toMatchObject({ lines: 12, paid: 11, failed: 1 });
    const { results, logs } = await outcomeOf(orders, started.workflowId, lines);
    expect(logs).toBe(11);
    expect(results[4]).toMatchObject({ outcome: 'failed', lineId: lines[4]?.lineId });
    expect(results[4]?.reason).toMatch(/Blocked address|ended as FAILED/);
    await block('DELETE', blocked);
  });

  test('never has two lines alike in one batch', async () => {
    const [one, other] = [newLine(), newLine()];
    const lines = [one, { ...newLine(), to: one.to, amount: one.amount }, other];
    const order = payoutOf(await payers(sandbox, type), { batch });
    const started = await orders.steadfast.payout(order, lines);
    expect(await started.receipt()).toMatchObject({ lines: 3, paid: 3 });
    const [first, second, third] = await linesOf(orders, started.workflowId);
    expect(first?.txHash).toBe(third?.txHash);
    expect(second?.txHash).not.toBe(first?.txHash);
    const paid = await paidOnChain(sandbox, [one, other]);
    expect(Object.values(paid).map((hashes) => hashes.length)).toEqual([2, 1]);
  });
});

test('an order that does not speak of batches is paid in them, and tells the gas saved', async () => {
  const lines = newLines(25);
  const started = await orders.steadfast.payout(payoutOf(await payers(sandbox, 'EOA')), lines);
  const { batched } = await started.receipt();
  expect(batched).toMatchObject({ lines: 25, batches: 1 });
  // Each transaction costs 21,000 gas before it does anything.
  expect(batched?.gasSaved).toBeGreaterThan(24 * 20_000);
  expect(batched?.gasSaved).toBeLessThan(25 * 50_000);
  const outcome = await outcomeOf(orders, started.workflowId, lines);
  expect(outcome).toMatchObject({ logs: 25, transactions: 1 });
});

test('a pace counts each line of a batch, until it is given up', async () => {
  const lines = newLines(400);
  // The second batch is due after 190 s, and the first one is paid long before.
  const order = payoutOf(await payers(sandbox, 'EOA'), {
    batch: { linesMax: 200 },
    linesPerS: 1.05,
  });
  const { workflowId, receipt } = await orders.steadfast.payout(order, lines);
  const paid = async () => (await orders.steadfast.status(workflowId)).progress?.payout?.paid ?? 0;
  while ((await paid()) === 0) await sleep(100);
  expect(await requestedBatches(workflowId)).toBe(1);
  await orders.steadfast.rate(workflowId, null);
  expect(await receipt()).toMatchObject({ lines: 400, paid: 400, batched: { batches: 2 } });
});

/** Number of batches that the first part of a payout has asked the service for. */
async function requestedBatches(id: string): Promise<number> {
  const { events } = await orders.client.workflow.getHandle(`${id}:shard:1`).fetchHistory();
  return (events ?? []).filter(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'executeContract',
  ).length;
}

test('an order without batches is paid line by line', async () => {
  const lines = newLines(3);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch: false });
  const started = await orders.steadfast.payout(order, lines);
  expect(await started.receipt()).not.toHaveProperty('batched');
  const outcome = await outcomeOf(orders, started.workflowId, lines);
  expect(outcome).toMatchObject({ logs: 3, transactions: 3 });
});

test('lines that the writer sets apart go alone, and the others of their batch together', async () => {
  const lines = newLines(8);
  const [, reviewed, , forbidden] = lines;
  const held = [reviewed?.to.toLowerCase(), forbidden?.to.toLowerCase()];
  const custody: CustodyApi = {
    ...sandbox.client,
    executeContract: async (input, how) => {
      const { payments = [] } = batchIn(input) ?? {};
      const apart = [...payments.keys()].filter((at) => held.includes(payments[at]?.to));
      if (apart.length > 0) throw new WithheldError('Two are held.', { next: 'stop', apart });
      return sandbox.client.executeContract(input, how);
    },
    createTransfer: async (input, how) => {
      if (input.destinationAddress.toLowerCase() !== held[1]) {
        return sandbox.client.createTransfer(input, how);
      }
      throw new WithheldError('It is forbidden.', { next: 'stop' });
    },
  };
  const own = await servedBy(custody);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch });
  const started = await own.steadfast.payout(order, lines);
  expect(await started.receipt()).toMatchObject({ lines: 8, paid: 7, failed: 1, unknown: 0 });
  const { results, logs, transactions } = await outcomeOf(own, started.workflowId, lines);
  expect({ logs, transactions }).toEqual({ logs: 7, transactions: 2 });
  expect(results[3]).toMatchObject({ outcome: 'failed', reason: 'It is forbidden.' });
  expect(results[1]).not.toHaveProperty('batch');
});

test('a line that fails alone in its batch is retried alone', async () => {
  // The estimate sees nothing wrong, as when an account is blocked a moment later.
  const plain = sandbox.client;
  const custody: CustodyApi = {
    ...plain,
    estimateExecution: async (...call) => {
      await block('DELETE', blocked);
      const answer = await plain.estimateExecution(...call);
      await block('PUT', blocked);
      return answer;
    },
  };
  const lines = newLines(8);
  const blocked = lines[3]?.to ?? '';
  const own = await servedBy(custody);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch });
  const { workflowId, handle } = await openedPayout(own, { ...order, lines });
  expect(await handle.result()).toMatchObject({ lines: 8, paid: 7, failed: 1 });
  const before = await outcomeOf(own, workflowId, lines);
  expect(before).toMatchObject({ logs: 7, transactions: 1 });
  expect(before.results[3]).toMatchObject({
    outcome: 'failed',
    generation: 0,
    txHash: before.results[2]?.txHash,
    reason: expect.stringMatching(/^Its payment failed alone.*Blocked address/),
  });
  await block('DELETE', blocked);
  const again = await own.steadfast.retry(workflowId, [lines[3]?.lineId ?? '']);
  expect(await again.receipt()).toMatchObject({ lines: 8, paid: 8, failed: 0 });
  const after = await outcomeOf(own, workflowId, lines);
  expect(after).toMatchObject({ logs: 8, transactions: 2 });
  expect(after.results[3]).toMatchObject({ outcome: 'paid', generation: 1 });
  expect(after.results[3]).not.toHaveProperty('batch');
});

test('a line that a person skips leaves its batch before it is sent', async () => {
  const lines = newLines(6);
  const order = payoutOf(await payers(sandbox, 'EOA'), { batch });
  const { workflowId, handle, update } = await openedPayout(orders, order);
  await update('addLines', { part: 1, lines });
  await update('pause', { reason: 'a test' });
  const sum = lines.reduce((units, { amount }) => units + Math.round(Number(amount) * 1e6), 0);
  await update('seal', { parts: 1, totals: { USDC: (sum / 1e6).toString() } });
  const [, lineId = ''] = lines.map((line) => line.lineId);
  expect(await update('skip', { lineIds: [lineId], reason: 'it left' })).toContain('is skipped');
  await update('resume', {});
  expect(await handle.result()).toMatchObject({ lines: 6, paid: 5, skipped: 1 });
  expect(await outcomeOf(orders, workflowId, lines)).toMatchObject({ logs: 5, transactions: 1 });
});

test('a payout goes line by line where no node of the chain is set', async () => {
  const own = await serve(sandbox.client, { baseUrl: sandbox.baseUrl });
  const lines = newLines(2);
  const started = await own.steadfast.payout(
    payoutOf(await payers(sandbox, 'EOA'), { batch }),
    lines,
  );
  const warning = expect.stringContaining('CHAIN_RPC_URL is not set on its worker');
  expect(await started.receipt()).toMatchObject({ lines: 2, paid: 2, warnings: [warning] });
  expect(await outcomeOf(own, started.workflowId, lines)).toMatchObject({ transactions: 2 });
});
