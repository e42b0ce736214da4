import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { memoryKey } from '../../../src/orders/progress/status';
import { createServe } from '../../support/orders';
import {
  transferOrder as order,
  readsOf,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const serve = createServe();
const newId = (): string => `transfer:${randomUUID()}`;

/** A service that keeps each transfer under its reference. All of them complete. */
function remembering() {
  const records: Transaction[] = [];
  const custody = scriptedCustody({
    createTransfer: ({ refId = '' }) => {
      const record = transferRecord({ id: randomUUID(), refId });
      records.push(record);
      return { id: record.id, state: 'INITIATED' };
    },
    ...readsOf(records),
  });
  return { custody, records };
}

describe('a memo that a stranger gives to the first run of an order', () => {
  /** Starts the order after a run whose memo names a transaction. One other order has paid. */
  async function afterForged(name: (paid: string | undefined) => string | undefined) {
    const { custody, records } = remembering();
    const orders = await serve(custody);
    const { client, steadfast } = orders;
    const before = newId();
    await steadfast.execute('transferStablecoin', before, order);
    const { memo } = await client.workflow.getHandle(before).describe();
    const findings = { 'transfer/1#0': { transactionId: name(records[0]?.id), key: 'any' } };
    const workflowId = newId();
    const forged = await client.workflow.start('transferStablecoin', {
      workflowId,
      taskQueue: 'served by nobody',
      args: [order],
      memo: { [memoryKey]: { ...Object(memo?.[memoryKey]), findings } },
    });
    await forged.terminate();
    const { receipt } = await steadfast.start('transferStablecoin', workflowId, order);
    return { orders, workflowId, receipt, records };
  }

  test.each([
    ['the payment of another order', (paid: string | undefined) => paid],
    ['no transaction that could be', () => 'any'],
  ])('pays nothing where it names %s', async (_, name) => {
    const { receipt, records } = await afterForged(name);
    await receipt();
    expect(records).toHaveLength(2);
  });

  test('leaves the order an exit where it names a transaction that is not there', async () => {
    const { orders, workflowId, receipt, records } = await afterForged(() => randomUUID());
    const asks = await orders.progress(workflowId, ({ status }) => status === 'NeedsOperator');
    expect(asks.waitingFor).toContain('does not know it now');
    await orders.steadfast.cancel(workflowId, 'somebody has forged it');
    await expect(receipt()).rejects.toMatchObject({ outcome: 'failed' });
    expect(records).toHaveLength(1);
  });
});

test('a run of a cron schedule is no later run that may go on from state', async () => {
  const { custody, records } = remembering();
  const { client, taskQueue } = await serve(custody);
  const workflowId = newId();
  const opened = { completed: { txHash: '0xfa1se' }, order: {}, searchAttributes: false };
  const state = { done: {}, writes: {}, made: {}, progress: [], cancelAsked: false, opened };
  const handle = await client.workflow.start('transferStablecoin', {
    workflowId,
    taskQueue,
    args: [order, state],
    cronSchedule: '@every 1s',
  });
  const ends = async (): Promise<string[]> => {
    const query = `WorkflowId = "${workflowId}" AND ExecutionStatus != "Running"`;
    const names: string[] = [];
    for await (const { status } of client.workflow.list({ query })) names.push(status.name);
    return names;
  };
  while ((await ends()).length < 2) await sleep(300);
  await handle.terminate();
  expect(new Set(await ends())).toEqual(new Set(['FAILED', 'TERMINATED']));
  expect(records).toEqual([]);
});

test('an order with a retry policy is refused, and is paid once without it', async () => {
  const { custody, records } = remembering();
  const { client, steadfast, taskQueue } = await serve(custody);
  const workflowId = newId();
  const given = { workflowId, taskQueue, args: [order], retry: { maximumAttempts: 3 } };
  const repeated = client.workflow.execute('transferStablecoin', given);
  const message = expect.stringMatching(/^An order runs once.* without a retry policy/);
  await expect(repeated).rejects.toMatchObject({ cause: { type: 'Refused', message } });
  expect(records).toEqual([]);
  await (await steadfast.start('transferStablecoin', workflowId, order)).receipt();
  const again = client.workflow.execute('transferStablecoin', given);
  await expect(again).rejects.toMatchObject({ cause: { type: 'Refused', message } });
  await (await steadfast.start('transferStablecoin', workflowId, order)).receipt();
  expect(records).toHaveLength(1);
});

describe('a workflow of another type that completes under the id of an order', () => {
  /** Starts it with the memo of an order that has paid, as anybody can. */
  async function completed() {
    const { custody, records } = remembering();
    const orders = await serve(custody);
    const { client, steadfast, taskQueue } = orders;
    const before = newId();
    await steadfast.execute('transferStablecoin', before, order);
    const { memo = {} } = await client.workflow.getHandle(before).describe();
    const workflowId = newId();
    const given = { workflowId, args: [], memo };
    await client.workflow.execute('readAccount', { ...given, taskQueue });
    return { orders, records, given };
  }

  test('is not the order: a caller is told', async () => {
    const { orders, records, given } = await completed();
    const { steadfast } = orders;
    const { workflowId } = given;
    const executed = steadfast.execute('transferStablecoin', workflowId, order);
    await expect(executed).rejects.toThrow(
      `id: "${workflowId}" was used for a readAccount, which is no transferStablecoin.`,
    );
    await expect(steadfast.status(workflowId)).rejects.toThrow('is a readAccount, and no order.');
    expect(records).toHaveLength(1);
  });

  test('is no earlier run of the order: its end is no receipt', async () => {
    const { orders, records, given } = await completed();
    const { client, steadfast } = orders;
    const other = { ...given, taskQueue: 'served by nobody' };
    await (await client.workflow.start('readAccount', other)).terminate();
    const started = await steadfast.start('transferStablecoin', given.workflowId, order);
    expect(await started.receipt()).toMatchObject({ state: 'COMPLETE' });
    expect(records).toHaveLength(2);
  });
});
