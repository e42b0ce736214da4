import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { getAddress } from 'viem';
import { untoldAnswers } from '../../src/client/answers';
import { receiverFor } from '../../src/client/answers/receiver';
import { sealFor } from '../../src/client/answers/sign';
import { RefusedError } from '../../src/custody/errors';
import { runCli } from '../cli/runCli';
import { createServe, envOf, runOrders, startPermissively } from '../support/orders';
import { newLines, payoutOf } from '../support/payouts';
import { startReceiver } from '../support/service/receiver';
import { transferOrder as order, scriptedCustody } from '../support/service/scriptedCustody';
import { openTill } from '../support/service/tillCustody';

const serve = createServe();
const key = Buffer.alloc(32, 5);
const hook = new Webhook(key.toString('base64'));
const ends: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(ends.map((end) => end())));

type Heard = { id: string; type: string; data: Record<string, unknown> & { orderId: string } };

/** A receiver of this test, and what it has verified of what came. */
async function listening(answer?: Parameters<typeof startReceiver>[0]) {
  const server = await startReceiver(answer);
  const receiver = receiverFor({ url: new URL(server.endpoint), keys: [key], isPrivate: true });
  ends.push(server.stop, receiver.close);
  const heard = (): Heard[] =>
    server.received.map(({ headers, body }) => ({
      ...(hook.verify(body, headers as Record<string, string>) as Omit<Heard, 'id'>),
      id: String(headers['webhook-id']),
    }));
  const until = async (count: number): Promise<Heard[]> => {
    while (new Set(heard().map(({ id }) => id)).size < count) await sleep(50);
    return heard();
  };
  return { receiver, heard, until };
}

const newId = (): string => `transfer:${randomUUID()}`;

describe('the end of an order', () => {
  test.concurrent('that completes is told, with its receipt', async () => {
    const { receiver, until } = await listening();
    const { steadfast } = await serve(scriptedCustody(), { receiver });
    const id = newId();
    const started = await steadfast.start('transferStablecoin', id, { ...order, reference: 'A-1' });
    const receipt = await started.receipt();
    const kind = 'transferStablecoin';
    expect(await until(1)).toMatchObject([
      { type: 'order.completed', data: { orderId: id, kind, reference: 'A-1', receipt } },
    ]);
  });

  test.concurrent('that is refused is told, with its reason, also if nothing was opened', async () => {
    const { receiver, until } = await listening();
    const orders = await serve(scriptedCustody(), { receiver });
    const id = newId();
    const started = await startPermissively(orders, id, { ...order, token: 'NONE' });
    await expect(started.result()).rejects.toMatchObject({ cause: { type: 'Refused' } });
    const reason = expect.stringContaining('NONE');
    expect(await until(1)).toMatchObject([
      { type: 'order.refused', data: { orderId: id, reason } },
    ]);
  });

  test.concurrent('that is cancelled is told', async () => {
    const { receiver, until } = await listening();
    const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });
    const custody = scriptedCustody({ createTransfer: () => unauthorised });
    const orders = await serve(custody, { receiver });
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    await orders.steadfast.cancel(id, 'changed our mind');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    expect(await until(1)).toMatchObject([{ type: 'order.cancelled', data: { orderId: id } }]);
  });

  test.concurrent('is not told of a dry run, and once of an order that is started again', async () => {
    const { receiver, heard, until } = await listening();
    const { steadfast } = await serve(scriptedCustody(), { receiver });
    const id = newId();
    await steadfast.plan('transferStablecoin', id, order);
    await (await steadfast.start('transferStablecoin', id, order)).receipt();
    await until(1);
    await (await steadfast.start('transferStablecoin', id, order)).receipt();
    await sleep(500);
    expect(heard()).toHaveLength(1);
  });

  test.concurrent('comes at once, though its receiver is dead, and is told later', async () => {
    let isDead = true;
    const { receiver, heard, until } = await listening(() => (isDead ? undefined : 204));
    const { steadfast } = await serve(scriptedCustody(), { receiver });
    const started = await steadfast.start('transferStablecoin', newId(), order);
    await started.receipt();
    while (heard().length === 0) await sleep(50);
    isDead = false;
    while (heard().length < 2) await sleep(50);
    const [first, second] = await until(1);
    expect(second).toEqual(first);
  });
});

test.concurrent('what was given up is told as such until it is sent again', async () => {
  let isDead = true;
  const { receiver, heard } = await listening(() => (isDead ? undefined : 204));
  const orders = await serve(scriptedCustody(), { receiver });
  const { steadfast, client } = orders;
  const own = newId();
  const id = `shop:${own}`;
  await (await steadfast.start('transferStablecoin', id, order)).receipt();
  const stateNow = async () =>
    (await untoldAnswers(client)).find(({ orderId }) => orderId === id)?.state;
  while ((await stateNow()) !== 'waiting') await sleep(50);
  const [told] = (await untoldAnswers(client)).filter(({ orderId }) => orderId === id);
  await client.workflow.getHandle(told?.workflowId ?? '').terminate('a test');
  while ((await stateNow()) !== 'given up') await sleep(50);
  isDead = false;
  const before = heard().length;
  const env = { ...envOf(orders), STEADFAST_KEY_SCOPE: 'shop' };
  const resent = await runCli(['answers', 'resend', own], env);
  expect(resent.stdout).toContain(`Sent again: 1 group of ends of ${id}.`);
  while (heard().length === before) await sleep(50);
  for (let tries = 0; tries < 40 && (await stateNow()) !== undefined; tries += 1) await sleep(50);
  expect(await stateNow()).toBeUndefined();
});

describe('the lines of a payout', () => {
  test.concurrent('are each told once they have ended, and so is the payout', async () => {
    const { receiver, until } = await listening();
    const till = openTill();
    const { steadfast } = await serve(till.custody, { receiver });
    const lines = newLines(7).map((line, at) => ({ ...line, reference: `invoice ${at}` }));
    const [bad] = lines;
    till.settings.fate = ({ amounts }) =>
      amounts?.[0] === bad?.amount
        ? { state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' }
        : { state: 'COMPLETE' };
    const { workflowId, receipt } = await steadfast.payout(payoutOf(till.wallets), lines);
    await receipt();
    const heard = await until(8);
    const orderId = workflowId;
    const told = Object.fromEntries(
      heard.map(({ type, data }) => [String(data.lineId), { type, data }]),
    );
    for (const { lineId, to, amount, reference } of lines) {
      const date = expect.any(String);
      const type = lineId === bad?.lineId ? 'line.failed' : 'line.paid';
      const data = { orderId, lineId, to: getAddress(to), amount, reference, settledAt: date };
      expect(told[lineId]).toMatchObject({ type, data });
    }
    expect(told.undefined).toMatchObject({ type: 'order.completed', data: { orderId } });
    expect(told.undefined?.data.receipt).not.toHaveProperty('parts');
  });

  test.concurrent('that are retried have another end, with another id', async () => {
    const { receiver, until } = await listening();
    const till = openTill();
    const orders = await serve(till.custody, { receiver });
    till.settings.fate = () => ({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    const [line] = newLines(1);
    if (line === undefined) throw new Error('There is no line.');
    const { workflowId, receipt } = await orders.steadfast.payout(payoutOf(till.wallets), [line]);
    await receipt();
    till.settings.fate = () => ({ state: 'COMPLETE' });
    const again = await orders.steadfast.retry(workflowId, [line.lineId]);
    await again.receipt();
    const heard = (await until(4)).filter(({ data }) => data.lineId === line.lineId);
    expect(heard.map(({ type }) => type)).toEqual(['line.failed', 'line.paid']);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(2);
  });
});

describe('a stranger who reaches Temporal', () => {
  const orderId = 'payout:invented';
  const all = { orderId, ends: [{ type: 'line.paid', attempt: 0, timestamp: 'now', data: {} }] };
  const forged = { ...all, seal: Buffer.alloc(32).toString('base64') };
  const otherKey = sealFor(all as never, [Buffer.alloc(32, 6)]);

  test.concurrent.each([
    ['no seal', all],
    ['a seal that is made up', forged],
    ['the seal of another key', { ...all, seal: otherKey }],
    ['nothing', null],
  ])('has nobody told of an end with %s', async (_, given) => {
    const { receiver, heard } = await listening();
    const { client, taskQueue } = await serve(scriptedCustody(), { receiver });
    const run = client.workflow.execute('answer', {
      workflowId: `answer:${randomUUID()}`,
      taskQueue,
      args: [given],
    });
    await expect(run).rejects.toMatchObject({
      cause: { message: expect.stringContaining('no seal of a worker') },
    });
    expect(heard()).toEqual([]);
  });
});

test.concurrent('an end that a worker without the receiver could not tell is told by the next one', async () => {
  const { receiver, until } = await listening();
  const till = openTill();
  const orders = await runOrders(till.custody, { roles: ['workflows', 'writes'] });
  const { taskQueue } = orders;
  await serve(till.custody, { taskQueue, roles: ['reads'], receiver });
  const lines = newLines(2);
  const { workflowId } = await orders.steadfast.payout(payoutOf(till.wallets), lines);
  const shard = orders.client.workflow.getHandle(`${workflowId}:shard:1`);
  for (;;) {
    const { events = [] } = await shard.fetchHistory();
    if (events?.some((event) => event.markerRecordedEventAttributes)) break;
    await sleep(100);
  }
  await serve(till.custody, { taskQueue, receiver });
  await orders.stop();
  const heard = await until(3);
  expect(heard.map(({ type }) => type).sort()).toEqual([
    ...['line.paid', 'line.paid', 'order.completed'],
  ]);
});

test('a worker of the role workflows that lacks the receiver loses the end, and says so', async () => {
  const { receiver, heard } = await listening();
  const custody = scriptedCustody();
  const orders = await serve(custody, { roles: ['workflows', 'writes'] });
  const { taskQueue } = orders;
  await serve(custody, { taskQueue, roles: ['reads'], receiver });
  const id = newId();
  const started = await orders.steadfast.start('transferStablecoin', id, order);
  await started.receipt();
  const { timeline } = await orders.progress(id, () => true);
  expect(JSON.stringify(timeline)).toContain(
    'its receiver is not told of its end: STEADFAST_ANSWERS_URL is not set on this worker',
  );
  expect(heard()).toEqual([]);
});

test('without a receiver nothing is started for an order or a line', async () => {
  const till = openTill();
  const { client, steadfast } = await serve(till.custody);
  const { workflowId, receipt } = await steadfast.payout(payoutOf(till.wallets), newLines(2));
  await receipt();
  for (const id of [workflowId, `${workflowId}:shard:1`]) {
    const { events = [] } = await client.workflow.getHandle(id).fetchHistory();
    const attributes = events?.flatMap((event) => Object.keys(event)) ?? [];
    expect(attributes).not.toContain('startChildWorkflowExecutionInitiatedEventAttributes');
    expect(attributes).not.toContain('markerRecordedEventAttributes');
  }
});
