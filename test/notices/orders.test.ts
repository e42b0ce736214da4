import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createHandOn } from '../../src/notices/handOn';
import { createKeys } from '../../src/notices/http/keys';
import type { Outcome } from '../../src/notices/http/receive';
import { createReceiver } from '../../src/notices/http/server';
import { receiversOf } from '../../src/notices/receivers';
import { subscribe, unsubscribe } from '../../src/notices/subscriptions';
import { createServe, type Orders } from '../support/orders';
import {
  createFundedWallet,
  createWallets,
  settled,
  startTestSandbox,
  type TestSandbox,
  transferOf,
} from '../support/sandbox';

const serve = createServe();
const outcomes: Outcome[] = [];
let sandbox: TestSandbox;
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
  sandbox = await startTestSandbox({ settleMs: 500 });
  orders = await serve(sandbox.client, { baseUrl: sandbox.baseUrl });
  const received = { workflowType: 'onReceived', taskQueue: `nobody-${randomUUID()}` };
  server = createReceiver({
    findKey: createKeys(sandbox.client),
    handOn: createHandOn(receiversOf(orders.client, received)),
    count: (outcome) => outcomes.push(outcome),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await subscribe(sandbox.client, endpoint);
  await control('PATCH', 'settings', { webhookRetryMs: [500, 500] });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await sandbox.stop();
});

async function pay(settleMs: number) {
  await control('PATCH', 'settings', { settleMs });
  const from = await createFundedWallet(sandbox.client, 'EOA');
  const [to] = await createWallets(sandbox.client);
  const id = `transfer:${randomUUID()}`;
  const receipt = await orders.steadfast.execute('transferStablecoin', id, {
    from: { walletId: from.id },
    to: to?.address ?? '',
    amount: '1',
    token: 'USDC',
  });
  const { events = [] } = await orders.client.workflow.getHandle(id).fetchHistory();
  const { transaction } = await sandbox.client.getTransaction({ id: receipt.transactionId });
  return { receipt, events: events ?? [], transaction };
}

describe('an order', () => {
  test('that the service tells of its end reads the record once, and no poll comes before', async () => {
    // The worker learns from it that notices arrive.
    await pay(500);
    const { receipt, events, transaction } = await pay(5_000);
    expect(receipt).toMatchObject({ state: 'COMPLETE', looks: 1, txHash: transaction.txHash });
    expect(events.length).toBeLessThanOrEqual(40);
  });

  test('has the same outcome when all notices are lost, and later orders poll as before', async () => {
    await control('PATCH', 'settings', { webhookRetryMs: [] });
    await control('POST', 'faults', { seed: 1, rules: [{ kind: 'loseNotice' }] });
    const lost = await pay(500);
    expect(lost.receipt).toMatchObject({ state: 'COMPLETE', txHash: lost.transaction.txHash });
    const later = await pay(500);
    expect(later.receipt).toMatchObject({ state: 'COMPLETE', looks: 1 });
    const [timer] = later.events.flatMap((one) => one.timerStartedEventAttributes ?? []);
    expect(Number(timer?.startToFireTimeout?.seconds)).toBe(2);
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
    const [wallet] = await createWallets(sandbox.client);
    const id = `fund:${randomUUID()}`;
    const giver = await createFundedWallet(sandbox.client, 'EOA');
    await orders.steadfast.start('fundWallet', id, {
      wallet: { walletId: wallet?.id ?? '' },
      amount: '2',
      token: 'USDC',
      source: 'external',
    });
    await orders.progress(id, ({ status }) => status === 'Waiting');
    const gift = transferOf(giver, wallet?.address ?? '', { amounts: ['2'] });
    const { id: sent } = await sandbox.client.createTransfer(gift);
    await settled(sandbox.client, sent);
    await orders.client.workflow.getHandle(id).result();
    const { events } = await orders.client.workflow.getHandle(id).fetchHistory();
    const names = (events ?? []).flatMap(
      (one) => one.workflowExecutionSignaledEventAttributes?.signalName ?? [],
    );
    expect(names).toContain('noticed');
  });
});

test('received money starts the workflow of a backend, once for each transaction', async () => {
  const [wallet] = await createWallets(sandbox.client);
  const giver = await createFundedWallet(sandbox.client, 'EOA');
  const gift = transferOf(giver, wallet?.address ?? '', { amounts: ['3'] });
  const { id: sent } = await sandbox.client.createTransfer(gift);
  await settled(sandbox.client, sent);
  const inbound = { walletIds: wallet?.id ?? '', txType: 'INBOUND' as const, includeAll: true };
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
