import { setTimeout as sleep } from 'node:timers/promises';
import { inputOf } from '../../../src/client/temporal/inputOf';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { sumByToken } from '../../../src/orders/payout/tally';
import { createServe } from '../../support/orders';
import { linesOf, newLines, openedPayout, payoutOf } from '../../support/payouts';
import { openTill } from '../../support/service/tillCustody';

const serve = createServe();
const lost = () => new NoAnswerError('no answer');
const refused = () => new RefusedError('API parameter invalid', { code: 2, status: 400 });

test('an unknown line of a terminated payout is looked up when the payout is started again', async () => {
  const till = openTill();
  const orders = await serve(till.custody);
  const lines = newLines(2);
  let calls = 0;
  let isDown = true;
  till.settings.settleMs = 600_000;
  till.settings.onTransfer = (input, take) => {
    if (!isDown || input.destinationAddress.toLowerCase() !== lines[0]?.to) return take();
    calls += 1;
    throw calls === 1 ? lost() : refused();
  };
  const order = payoutOf(till.wallets);
  const { workflowId } = await orders.steadfast.payout(order, lines);
  await orders.progress(workflowId, ({ status }) => status === 'Unknown');
  await orders.client.workflow.getHandle(workflowId).terminate('a test');
  till.settle();
  till.settings.settleMs = 100;
  // Its part hears that the payout has ended, and closes.
  await orders.client.workflow.getHandle(`${workflowId}:shard:1`).result();
  isDown = false;
  const { handle, update } = await openedPayout(orders, order);
  await orders.progress(workflowId, ({ payout }) => payout?.lines === 2);
  await update('addLines', { part: 1, lines });
  await update('seal', { parts: 1, totals: sumByToken(lines) });
  expect(await handle.result()).toMatchObject({ paid: 2, unknown: 0 });
  expect(till.taken.length).toBe(2);
});

test('a refused line goes on after its retry was lost, its part terminated, and the new one woken', async () => {
  const till = openTill();
  const orders = await serve(till.custody);
  const lines = newLines(2);
  let answer: 'refuse' | 'lose' | 'take' = 'refuse';
  let isLost = false;
  till.settings.settleMs = 100;
  till.settings.onTransfer = (input, take) => {
    if (answer === 'take' || input.destinationAddress.toLowerCase() !== lines[0]?.to) return take();
    if (answer === 'refuse') throw refused();
    isLost = true;
    throw lost();
  };
  const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  expect(await receipt()).toMatchObject({ paid: 1, failed: 1 });
  answer = 'lose';
  const again = await orders.steadfast.retry(workflowId);
  while (!isLost) await sleep(20);
  await orders.client.workflow.getHandle(`${workflowId}:shard:1`).terminate('a test');
  answer = 'take';
  await orders.client.workflow.getHandle(workflowId).signal('wake');
  expect(await again.receipt()).toMatchObject({ paid: 2 });
  expect(till.taken.length).toBe(2);
});

test('a part is told to go on in its new run, though the answer that it was started again was lost', async () => {
  const till = openTill();
  let isSlow = true;
  const { listTransactions } = till.custody;
  const slow: CustodyApi = Object.assign(Object.create(till.custody), {
    // Its lines are looked up until its part was started again.
    listTransactions: async (...call: Parameters<CustodyApi['listTransactions']>) => {
      while (isSlow) await sleep(20);
      return listTransactions(...call);
    },
  });
  const orders = await serve(slow);
  const lines = newLines(2);
  till.settings.settleMs = 100;
  const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  const { workflow } = orders.client;
  const shard = workflow.getHandle(`${workflowId}:shard:1`);
  const run = await shard.describe();
  const { runId, memo } = run;
  const [order] = await inputOf(orders.client, run);
  await shard.terminate('a test');
  const { taskQueue } = orders;
  const again = { workflowId: shard.workflowId, taskQueue, args: [order], memo: memo ?? {} };
  await workflow.start('payoutShard', again);
  // The last words of the run before. By now another run goes on.
  const tally = { lines: 2, paid: 0, failed: 0, unknown: 0, skipped: 0, amounts: {} };
  const last = { part: 1, runId, tally, unknown: [], isOver: true };
  await workflow.getHandle(workflowId).signal('report', last);
  isSlow = false;
  expect(await receipt()).toMatchObject({ paid: 2 });
  expect(till.taken.length).toBe(2);
});

test('a line whose answer was lost is found, though its wallet has no money for it twice', async () => {
  const till = openTill({ wallets: 1 });
  const orders = await serve(till.custody);
  till.settings.held = '100';
  let isFirst = true;
  till.settings.onTransfer = (_, take) => {
    const taken = take();
    if (!isFirst) return taken;
    isFirst = false;
    throw lost();
  };
  const [line, ...none] = newLines(1);
  const lines = line === undefined ? none : [{ ...line, amount: '30' }];
  const order = payoutOf(till.wallets, { reservePerWallet: '60' });
  const { receipt } = await orders.steadfast.payout(order, lines);
  expect(await receipt()).toMatchObject({ paid: 1 });
  expect(till.taken.length).toBe(1);
});

test('a failed line of a terminated payout is retried once the payout has gone on', async () => {
  const till = openTill({ wallets: 1 });
  const orders = await serve(till.custody);
  const lines = newLines(2);
  let isOpen = false;
  till.settings.settleMs = 600_000;
  till.settings.onTransfer = ({ destinationAddress }, take) => {
    if (!isOpen && destinationAddress.toLowerCase() === lines[1]?.to) throw refused();
    return take();
  };
  const order = payoutOf(till.wallets);
  const { workflowId } = await orders.steadfast.payout(order, lines);
  const isFailed = async () => (await linesOf(orders, workflowId))[1]?.outcome === 'failed';
  while (!(await isFailed().catch(() => false))) await sleep(50);
  for (const id of [`${workflowId}:shard:1`, workflowId]) {
    await orders.client.workflow.getHandle(id).terminate('a test');
  }
  const ended = 'was ended from outside. Start it again as it is';
  await expect(orders.steadfast.retry(workflowId)).rejects.toThrow(ended);
  isOpen = true;
  till.settings.settleMs = 10;
  till.settle();
  const again = await orders.steadfast.payout(order, lines);
  expect(await again.receipt()).toMatchObject({ paid: 1, failed: 1 });
  const { receipt } = await orders.steadfast.retry(workflowId);
  expect(await receipt()).toMatchObject({ paid: 2, failed: 0 });
});
