import { randomUUID } from 'node:crypto';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refId } from '../../../src/custody/reference';
import { createServe, startPermissively } from '../../support/orders';
import {
  accepted,
  listing,
  newId,
  noFunds,
  parking,
  recordOf,
  resolve,
  sent,
} from '../../support/service/parkedOrder';
import {
  transferOrder as order,
  scriptedCustody,
  sender,
  transferRecord,
} from '../../support/service/scriptedCustody';
import { boundariesOf, resetTo } from '../../support/traps/reset';

const serve = createServe();
const park = parking(serve);

describe('a transaction that somebody found', () => {
  test.concurrent.each([
    ['before it settles', 'terminate'],
    ['by a reset that drops the finding', 'reset'],
  ] as const)('goes on from it also after it was ended %s', async (_, how) => {
    let state = 'SENT';
    const { orders, id, custody } = await park([], {
      createTransfer: (_: unknown, call: number) =>
        [new NoAnswerError('lost'), noFunds()][call - 1] ?? accepted,
      getTransaction: () => ({ transaction: transferRecord({ state }) }),
    });
    await resolve(orders, id, { evidence: transferRecord().id });
    await orders.progress(id, ({ status }) => status === 'Settling');
    const { runId } = await orders.client.workflow.getHandle(id).describe();
    const [, opened = 0] = await boundariesOf(orders, { id, runId });
    if (how === 'reset') {
      await resetTo(orders, { id, runId }, { boundary: opened, reapply: false });
    } else {
      await orders.client.workflow.getHandle(id).terminate();
      await orders.steadfast.start('transferStablecoin', id, order);
    }
    await orders.progress(id, ({ status }) => status === 'Settling');
    state = 'COMPLETE';
    const result = await orders.client.workflow.getHandle(id).result();
    expect(result).toMatchObject({ transactionId: transferRecord().id });
    expect(sent(custody)).toHaveLength(2);
  });

  test.concurrent('is read again by the next attempt, which its later success makes needless', async () => {
    let state = 'SENT';
    const records: Transaction[] = [];
    const other = randomUUID();
    const { orders, id, custody, started } = await park(records, {
      getTransaction: ({ id: wanted }: { id: string }) => {
        const found = records.find((one) => one.id === wanted);
        return { transaction: found ?? transferRecord({ id: wanted, state }) };
      },
    });
    await resolve(orders, id, { evidence: other });
    state = 'FAILED';
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'failed' });
    state = 'COMPLETE';
    records.push(recordOf(id, { id: randomUUID(), state: 'FAILED' }));
    const again = await startPermissively(orders, id, {
      ...order,
      generations: { 'transfer/1': 1 },
    });
    expect(await again.result()).toMatchObject({ transactionId: other });
    expect(sent(custody)).toHaveLength(2);
  });

  test.concurrent('asks a person once the service has lost it, and is not sent again', async () => {
    let isLost = false;
    const { orders, id, custody } = await park([], {
      getTransaction: () =>
        isLost
          ? new RefusedError('none', { status: 404, code: 156003 })
          : { transaction: transferRecord({ state: 'SENT' }) },
    });
    const { id: evidence } = transferRecord();
    await resolve(orders, id, { evidence });
    await orders.client.workflow.getHandle(id).terminate();
    isLost = true;
    await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    const other = resolve(orders, id, { evidence: randomUUID() });
    await expect(other).rejects.toMatchObject({
      cause: { message: expect.stringContaining('is no transaction of this write') },
    });
    isLost = false;
    await resolve(orders, id, { evidence });
    await orders.progress(id, ({ status }) => status === 'Settling');
    expect(sent(custody)).toHaveLength(2);
    await orders.client.workflow.getHandle(id).terminate();
  });

  test.concurrent('is watched to its end, where two have the same reference', async () => {
    const id = newId();
    const [one, other] = [recordOf(id), recordOf(id, { id: randomUUID() })];
    let state = 'SENT';
    const custody = listing([one, other], {
      getTransaction: () => ({ transaction: { ...one, state } }),
    });
    const orders = await serve(custody);
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    await resolve(orders, id, { evidence: one.id });
    await orders.progress(id, ({ status }) => status === 'Settling');
    state = 'FAILED';
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'failed' });
    expect(sent(custody)).toEqual([]);
  });
});

test('a call with another amount of the coin is not the one that was found', async () => {
  const id = `execute:${randomUUID()}`;
  const call = {
    contractAddress: `0x${'7'.repeat(40)}`,
    abiFunctionSignature: 'deposit()',
    abiParameters: [],
  };
  const parts = { workflowId: id, step: 'execute', item: '1', generation: 0 };
  const record = transferRecord({
    ...call,
    refId: refId(parts),
    amounts: ['1'],
    operation: 'CONTRACT_EXECUTION',
  });
  const custody = scriptedCustody({
    listTransactions: ({ pageAfter }) => ({ transactions: pageAfter ? [] : [record] }),
    getTransaction: () => ({ transaction: record }),
  });
  const orders = await serve(custody);
  await orders.steadfast.start('executeContract', id, {
    ...call,
    walletId: sender.id,
    amount: '5',
  });
  const { waitingFor } = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
  expect(waitingFor).toContain('its value is 1, ordered was 5');
  expect(custody.calls('executeContract')).toEqual([]);
  await orders.client.workflow.getHandle(id).terminate();
});
