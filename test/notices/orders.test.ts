import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHandOn } from '../../src/notices/handOn';
import { createNoticeKeys } from '../../src/notices/http/keys';
import type { NoticeOutcome } from '../../src/notices/http/receive';
import { createReceiver } from '../../src/notices/http/server';
import { receiversOf } from '../../src/notices/receivers';
import { subscribe, unsubscribe } from '../../src/notices/subscriptions';
import { stopLater } from '../support/jest/setUp';
import { times } from '../support/lane';
import { createServe, type Orders } from '../support/orders';
import { newLines, payers, payoutOf } from '../support/payouts';
import { inSandbox, transferOf } from '../support/sandbox';

const serve = createServe();
const outcomes: NoticeOutcome[] = [];
const sandbox = inSandbox({ settleMs: 500 });
let orders: Orders;
let server: ReturnType<typeof createReceiver>;
let endpoint: string;

async function control(method: string, path: string, body: object): Promise<void> {
  const { status } = await sandbox.request(method, `${sandbox.origin}/_sandbox/${path}`, {
    headers: {},
    body,
  });
  if (status !== 200) throw new Error(`${method} ${path} was answered with ${status}.`);
}

beforeAll(async () => {
  orders = await serve(sandbox.client, { baseUrl: sandbox.baseUrl });
  const received = { workflowType: 'onReceived', taskQueue: `nobody-${randomUUID()}` };
  server = createReceiver({
    findKey: createNoticeKeys(sandbox.client),
    handOn: createHandOn(receiversOf(orders.client, received)),
    count: (outcome) => outcomes.push(outcome),
  });
  stopLater(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await subscribe(sandbox.client, endpoint);
  await control('PATCH', 'settings', { webhookRetryMs: [500, 500] });
  stopLater(() => server.closeAllConnections());
});

async function pay(settleMs: number) {
  await control('PATCH', 'settings', { settleMs });
  const from = await sandbox.fundedWallet('EOA');
  const to = await sandbox.wallet();
  const id = `transfer:${randomUUID()}`;
  const receipt = await orders.steadfast.execute('transferStablecoin', id, {
    from: { walletId: from.id },
    to: to.address,
    amount: '1',
    token: 'USDC',
  });
  const { events = [] } = await orders.client.workflow.getHandle(id).fetchHistory();
  const { transaction } = await sandbox.client.getTransaction({ id: receipt.transactionId });
  return { receipt, events: events ?? [], transaction };
}

/** The delay before the first poll, in whole seconds. */
function firstDelayS(events: Awaited<ReturnType<typeof pay>>['events']): number {
  const [timer] = events.flatMap((one) => one.timerStartedEventAttributes ?? []);
  return Number(timer?.startToFireTimeout?.seconds);
}

describe('an order', () => {
  test('that the service tells of its end reads the record once, and no poll comes before', async () => {
    // The worker learns from it that notices arrive.
    await pay(500);
    const { receipt, events, transaction } = await pay(2_000);
    expect(receipt).toMatchObject({ state: 'COMPLETE', polls: 1, txHash: transaction.txHash });
    expect(events.length).toBeLessThanOrEqual(40);
  });

  test('has the same outcome when all notices are lost, and later orders poll as before', async () => {
    await control('PATCH', 'settings', { webhookRetryMs: [] });
    await control('POST', 'faults', { seed: 1, rules: [{ kind: 'loseNotice' }] });
    const lost = await pay(500);
    expect(lost.receipt).toMatchObject({ state: 'COMPLETE', txHash: lost.transaction.txHash });
    // It waited for its notice no longer than orders take here, and a little more.
    expect(firstDelayS(lost.events)).toBeLessThan(10);
    const later = await pay(500);
    expect(later.receipt).toMatchObject({ state: 'COMPLETE', polls: 1 });
    expect(firstDelayS(later.events)).toBe(2);
    await control('POST', 'faults', { seed: 1, rules: [] });
    await control('PATCH', 'settings', { webhookRetryMs: [500, 500] });
  });

  test('settles as before with notices that come twice, late and lost at first', async () => {
    const rules = [
      { kind: 'duplicateNotice', probability: 0.5 },
      { kind: 'lateNotice', probability: 0.5, delayMs: 700 },
      { kind: 'loseNotice', probability: 0.3 },
    ];
    await control('POST', 'faults', { seed: 7, rules });
    const paid = await Promise.all([pay(500), pay(500), pay(500)]);
    for (const { receipt, transaction } of paid) {
      expect(receipt).toMatchObject({ state: 'COMPLETE', txHash: transaction.txHash });
    }
    await control('POST', 'faults', { seed: 1, rules: [] });
  });

  test('that waits for money from anyone is woken when it comes', async () => {
    const wallet = await sandbox.wallet();
    const id = `fund:${randomUUID()}`;
    const giver = await sandbox.fundedWallet('EOA');
    await orders.steadfast.start('fundWallet', id, {
      wallet: { walletId: wallet.id },
      amount: '2',
      token: 'USDC',
      source: 'external',
    });
    await orders.progress(id, ({ status }) => status === 'Waiting');
    const gift = transferOf(giver, wallet.address, { amounts: ['2'] });
    const { id: sent } = await sandbox.client.createTransfer(gift);
    await sandbox.settled(sent);
    await orders.client.workflow.getHandle(id).result();
    const { events } = await orders.client.workflow.getHandle(id).fetchHistory();
    const names = (events ?? []).flatMap(
      (one) => one.workflowExecutionSignaledEventAttributes?.signalName ?? [],
    );
    expect(names).toContain('noticed');
  });
});

/** The names of the signals that a workflow had, and of its activities and timers, in sequence. */
async function stepsOf(workflowId: string): Promise<string[]> {
  const { events } = await orders.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap((one) => {
    const activity = one.activityTaskScheduledEventAttributes?.activityType?.name;
    const signal = one.workflowExecutionSignaledEventAttributes?.signalName;
    const seconds = one.timerStartedEventAttributes?.startToFireTimeout?.seconds;
    const isFired = one.timerFiredEventAttributes ? 'timer fired' : undefined;
    const isDone = one.activityTaskCompletedEventAttributes ? 'done' : undefined;
    const timer = Number(seconds ?? 0) >= longPauseS ? 'long pause' : undefined;
    return activity ?? signal ?? timer ?? isFired ?? isDone ?? [];
  });
}

const longPauseS = 8;
const pollsBefore = 8;

/** True once a poll has found nothing, and the next one is far. */
function isPausing(steps: readonly string[]): boolean {
  const polls = steps.filter((step) => step === 'watchLines');
  return polls.length >= pollsBefore && steps.slice(-2).join() === 'done,long pause';
}

describe('a part of a payout', () => {
  test('has the signal of the notice about its line', async () => {
    await control('PATCH', 'settings', { settleMs: 500 });
    const order = payoutOf(await payers(sandbox, 'EOA'), { batch: false });
    const { workflowId, receipt } = await orders.steadfast.payout(order, newLines(2));
    expect(await receipt()).toMatchObject({ paid: 2 });
    expect(await stepsOf(`${workflowId}:shard:1`)).toContain('noticed');
  });

  // It polls for nearly a minute before it makes a long pause.
  times({ short: 0, all: 1 }) === 1 &&
    test('that has waited for long is woken by the notice, and not by its timer', async () => {
      const [payer] = await payers(sandbox, 'EOA');
      const walletId = payer?.id ?? '';
      await control('POST', 'faults', { rules: [{ kind: 'stuck', walletId, count: 1 }] });
      const order = payoutOf([{ id: walletId }], { batch: false });
      const { workflowId, receipt } = await orders.steadfast.payout(order, newLines(1));
      const part = `${workflowId}:shard:1`;
      while (!isPausing(await stepsOf(part))) await sleep(200);
      const { transactions } = await sandbox.client.listTransactions({ walletIds: walletId });
      const [sent] = transactions.filter(({ state }) => state !== 'COMPLETE');
      await control('POST', `transactions/${sent?.id}/state`, { state: 'SENT' });
      expect(await receipt()).toMatchObject({ paid: 1 });
      const steps = await stepsOf(part);
      const since = steps.slice(steps.lastIndexOf('long pause'));
      expect(since.slice(0, 3)).toEqual(['long pause', 'noticed', 'watchLines']);
    });
});

test('received money starts the workflow of a backend, once for each transaction', async () => {
  const wallet = await sandbox.wallet();
  const giver = await sandbox.fundedWallet('EOA');
  const gift = transferOf(giver, wallet.address, { amounts: ['3'] });
  const { id: sent } = await sandbox.client.createTransfer(gift);
  await sandbox.settled(sent);
  const inbound = { walletIds: wallet.id, txType: 'INBOUND' as const, includeAll: true };
  let started: string[] = [];
  while (started.length === 0) {
    const { transactions } = await sandbox.client.listTransactions(inbound);
    const found = transactions.map(async ({ id }) => {
      const run = orders.client.workflow.getHandle(`received:${id}`).describe();
      return run.then(({ type }) => type).catch(() => undefined);
    });
    started = (await Promise.all(found)).flatMap((type) => type ?? []);
  }
  expect(started).toEqual(['onReceived']);
});

describe('a subscription', () => {
  test('is made once, enabled again, and removed by its address', async () => {
    const { subscription, outcome } = await subscribe(sandbox.client, endpoint);
    expect(outcome).toBe('unchanged');
    const { id, name } = subscription;
    await sandbox.client.updateSubscription({ id, name, enabled: false });
    expect(await subscribe(sandbox.client, endpoint)).toMatchObject({
      outcome: 'enabled',
      subscription: { id, enabled: true },
    });
    expect(await unsubscribe(sandbox.client, endpoint)).toHaveLength(1);
    expect(await unsubscribe(sandbox.client, endpoint)).toEqual([]);
  });

  test('for other notices does not count as ours', async () => {
    const notificationTypes = ['contracts.*' as const];
    await sandbox.client.createSubscription({ endpoint, notificationTypes });
    await expect(subscribe(sandbox.client, endpoint)).rejects.toThrow(/Remove it first: .*remove/);
    await unsubscribe(sandbox.client, endpoint);
  });
});
