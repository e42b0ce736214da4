import { randomUUID } from 'node:crypto';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { RefusedError } from '../../../src/custody/errors';
import { createServe, type Orders } from '../../support/orders';
import { inSandbox, tokenTransfers } from '../../support/sandbox';

const sandbox = inSandbox({ settleMs: 1_500 });
const serve = createServe();

/** An order of a transfer from a wallet of its own, served by a worker that reads the chain. */
async function transfer(
  accountType: 'EOA' | 'SCA',
  { lookupGraceMs = 0, custody = sandbox.client } = {},
) {
  const from = await sandbox.usedWallet(accountType);
  const recipient = await sandbox.wallet('EOA');
  const to = recipient.address;
  const chainRpcUrl = `${sandbox.origin}/_sandbox/rpc`;
  const options = { baseUrl: sandbox.baseUrl, chainRpcUrl, lookupGraceMs };
  const orders = await serve(custody, options);
  const id = `transfer:${randomUUID()}`;
  const order = { from: { walletId: from.id }, to, amount: '1.25', token: 'USDC' };
  const started = (generations: Record<string, number> = {}) =>
    orders.steadfast.start('transferStablecoin', id, { ...order, generations });
  const moved = async () => (await tokenTransfers(chainRpcUrl, { to })).length;
  return { orders, id, from, started, moved };
}

const control = async (path: string, body: object): Promise<void> => {
  const { status } = await sandbox.request('POST', `${sandbox.origin}/_sandbox/${path}`, { body });
  expect(status).toBeLessThan(300);
};

async function transactionOf(orders: Orders, id: string): Promise<string> {
  const { waitingFor } = await orders.progress(id, ({ status }) => status === 'Settling');
  return waitingFor.split(' ').at(-1) ?? '';
}

describe('with the chain to read, a transfer', () => {
  test.each(['EOA', 'SCA'] as const)(
    'from an %s is done when its receipt says so',
    async (type) => {
      const { orders, id, started, moved } = await transfer(type);
      expect((await (await started()).receipt()).state).toBe('COMPLETE');
      expect(await moved()).toBe(1);
      const { timeline } = await orders.progress(id, () => true);
      expect(timeline.at(-1)?.words).toContain('settled in 0x');
      const { events } = await orders.client.workflow.getHandle(id).fetchHistory();
      const names = (events ?? []).map(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name,
      );
      expect(names.filter((name) => name === 'checkReceipt')).toHaveLength(1);
    },
  );

  test('whose complete record names no transaction is found on the chain', async () => {
    const getTransaction: CustodyApi['getTransaction'] = async (input) => {
      const { transaction } = await sandbox.client.getTransaction(input);
      return { transaction: { ...transaction, txHash: undefined } };
    };
    const custody = { ...sandbox.client, getTransaction };
    const { started, moved } = await transfer('EOA', { custody });
    const { txHash } = await (await started()).receipt();
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await moved()).toBe(1);
  });

  test('that the service calls failed is not failed while the chain has moved the money', async () => {
    let isForced = false;
    // The order reads no final state before the record is forced.
    const getTransaction: CustodyApi['getTransaction'] = async (input) => {
      const { transaction } = await sandbox.client.getTransaction(input);
      return { transaction: isForced ? transaction : { ...transaction, state: 'PENDING' } };
    };
    const custody = { ...sandbox.client, getTransaction };
    const { orders, id, started, moved } = await transfer('EOA', { custody });
    const order = await started();
    const transactionId = await transactionOf(orders, id);
    while ((await moved()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await control(`transactions/${transactionId}/state`, { state: 'FAILED' });
    isForced = true;
    const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toContain('FAILED, but it succeeded on the chain (0x');
    expect(progress.exits?.map(({ when }) => when)).toEqual([
      'its transaction did what was ordered',
    ]);
    const finding = { target: 'transfer/1#0', evidence: transactionId };
    const retried = orders.steadfast.resolve(id, { ...finding, finding: 'retry' });
    await expect(retried).rejects.toThrow('is never sent again');
    await orders.steadfast.resolve(id, { ...finding, finding: 'completed' });
    expect((await order.receipt()).transactionId).toBe(transactionId);
    expect(await moved()).toBe(1);
  });

  test('that was paid, and whose record the service has lost then, ends by what the chain shows', async () => {
    let isForced = false;
    let isLost = false;
    const getTransaction: CustodyApi['getTransaction'] = async (input) => {
      if (isLost) throw new RefusedError('not found', { status: 404, code: 156003 });
      const { transaction } = await sandbox.client.getTransaction(input);
      return { transaction: isForced ? transaction : { ...transaction, state: 'PENDING' } };
    };
    const listTransactions: CustodyApi['listTransactions'] = async (...call) =>
      isLost ? { transactions: [] } : sandbox.client.listTransactions(...call);
    const custody = { ...sandbox.client, getTransaction, listTransactions };
    const { orders, id, started, moved } = await transfer('EOA', { custody });
    const order = await started();
    const transactionId = await transactionOf(orders, id);
    while ((await moved()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await control(`transactions/${transactionId}/state`, { state: 'FAILED' });
    isForced = true;
    const { paidIn = '', exits } = await orders.progress(
      id,
      (progress) => progress.paidIn !== undefined,
    );
    isLost = true;
    await orders.client.workflow.getHandle(id).signal('wake');
    await orders.progress(id, ({ waitingFor }) => waitingFor.includes('does not know it now'));
    const target = 'transfer/1#0';
    expect(exits?.map(({ command }) => command)).toEqual([
      expect.stringContaining(`--target '${target}' --finding completed --evidence ${paidIn}`),
    ]);
    const words = `completed and the evidence ${paidIn}`;
    await expect(orders.steadfast.cancel(id, 'no longer wanted')).rejects.toThrow(words);
    await orders.steadfast.resolve(id, { target, finding: 'completed', evidence: paidIn });
    expect(await order.receipt()).toMatchObject({ transactionId, txHash: paidIn });
    expect(await moved()).toBe(1);
  });

  test('whose generation is raised by hand is not sent while the chain shows the one before', async () => {
    const { orders, id, started, moved } = await transfer('EOA');
    await started();
    const transactionId = await transactionOf(orders, id);
    while ((await moved()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await orders.client.workflow.getHandle(id).terminate();
    await control(`transactions/${transactionId}/state`, { state: 'FAILED' });
    await started({ 'transfer/1': 1 });
    const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toContain('FAILED, but it succeeded on the chain (0x');
    expect(await moved()).toBe(1);
  });

  test('that failed on the chain has failed, and is sent again once that is proven', async () => {
    const { started, moved, from } = await transfer('EOA');
    await control('faults', {
      seed: 1,
      rules: [{ kind: 'failOnChain', walletId: from.id, count: 1 }],
    });
    await expect((await started()).receipt()).rejects.toMatchObject({ outcome: 'failed' });
    expect(await moved()).toBe(0);
    expect((await (await started({ 'transfer/1': 1 })).receipt()).state).toBe('COMPLETE');
    expect(await moved()).toBe(1);
  });

  test('that was cancelled is so once the chain has not shown it for the grace period', async () => {
    const { orders, id, started, moved } = await transfer('EOA', { lookupGraceMs: 3_000 });
    const order = await started();
    await transactionOf(orders, id);
    await orders.steadfast.cancel(id, 'changed our mind');
    const end = await order.receipt().then(
      ({ state }) => state,
      (error: { outcome: string }) => error.outcome,
    );
    expect(end).toBe((await moved()) === 0 ? 'cancelled' : 'COMPLETE');
  });
});
