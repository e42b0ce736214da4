import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServe } from '../../support/orders';
import { linesOf, newLines, payoutOf } from '../../support/payouts';
import { openTill } from '../../support/service/tillCustody';

const serve = createServe();

test('no order has the id of a part of a payout, whoever starts it', async () => {
  const till = openTill({ wallets: 1 });
  const { client, taskQueue, steadfast } = await serve(till.custody);
  const payoutId = `${randomUUID()}:shard:1`;
  const order = payoutOf(till.wallets, { payoutId });
  const workflowId = `payout:${payoutId}`;
  const why = `id: "${workflowId}" is the id of part 1 of the payout`;
  await expect(steadfast.payout(order, newLines(1))).rejects.toThrow(why);
  const [line = { to: '' }] = newLines(1);
  const from = { walletId: till.wallets[0]?.id ?? '' };
  const transfer = { from, to: line.to, amount: '1', token: 'USDC' };
  const asTransfer = steadfast.start('transferStablecoin', workflowId, transfer);
  await expect(asTransfer).rejects.toThrow(why);
  // Any language may start it.
  const started = client.workflow.execute('payout', { workflowId, taskQueue, args: [order] });
  await expect(started).rejects.toMatchObject({ cause: { message: expect.stringContaining(why) } });
  expect(till.taken).toEqual([]);
});

test('a payout waits while another workflow has the id of its part, and does not end it', async () => {
  const till = openTill({ wallets: 1 });
  const orders = await serve(till.custody);
  const { workflow } = orders.client;
  const order = payoutOf(till.wallets);
  const workflowId = `payout:${order.payoutId}`;
  const partId = `${workflowId}:shard:1`;
  // No worker takes it up. It only holds the id.
  const other = await workflow.start('payout', { workflowId: partId, taskQueue: 'nobody' });
  const lines = newLines(2);
  const started = orders.steadfast.payout(order, lines);
  while ((await orders.steadfast.status(workflowId).catch(() => undefined)) === undefined) {
    await sleep(50);
  }
  const { waitingFor } = await orders.progress(workflowId, (now) => now.status === 'NeedsOperator');
  expect(waitingFor).toContain(`${partId} is the id of a part of this payout, and a payout runs`);
  expect(await other.describe()).toMatchObject({ type: 'payout', status: { name: 'RUNNING' } });
  await other.terminate('a test');
  await workflow.getHandle(workflowId).signal('wake');
  expect(await (await started).receipt()).toMatchObject({ paid: 2 });
  expect(await linesOf(orders, workflowId)).toHaveLength(2);
});
