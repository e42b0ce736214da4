import { randomUUID } from 'node:crypto';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { createServe } from '../../support/orders';
import {
  transferOrder as order,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const newId = (): string => `transfer:${randomUUID()}`;
const serve = createServe();
const pending = { transaction: transferRecord({ state: 'PENDING' }) };
const cancel: { args: [{ reason: string }] } = { args: [{ reason: 'changed our mind' }] };

describe('a cancelled order', () => {
  test.concurrent('ends as cancelled before anything can have been sent', async () => {
    const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });
    const orders = await serve(scriptedCustody({ createTransfer: () => unauthorised }));
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    await orders.client.workflow.getHandle(id).executeUpdate('cancel', cancel);
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    expect((await orders.steadfast.status(id)).execution).toBe('CANCELLED');
  });

  test.concurrent('asks the service to cancel, and ends when the service has done so', async () => {
    let isCancelled = false;
    const custody = scriptedCustody({
      cancelTransaction: ({ id }) => {
        isCancelled = true;
        return { id, state: 'CANCELLED' };
      },
      getTransaction: () =>
        isCancelled ? { transaction: transferRecord({ state: 'CANCELLED' }) } : pending,
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Settling');
    await orders.client.workflow.getHandle(id).executeUpdate('cancel', cancel);
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    const keys = custody.calls('cancelTransaction').map(({ input }) => input.idempotencyKey);
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toBe(custody.calls('createTransfer')[0]?.input.idempotencyKey);
  });

  test.concurrent('is completed when the cancellation came too late', async () => {
    const tooLate = new RefusedError('too late', { status: 400, code: 155229 });
    const custody = scriptedCustody({
      cancelTransaction: () => tooLate,
      getTransaction: (_, call) => (call < 3 ? pending : { transaction: transferRecord() }),
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Settling');
    await orders.client.workflow.getHandle(id).executeUpdate('cancel', cancel);
    expect((await started.receipt()).state).toBe('COMPLETE');
    expect(custody.calls('cancelTransaction')).toHaveLength(1);
  });

  test.concurrent('repeats the request under the same key until the service answers', async () => {
    const custody = scriptedCustody({
      cancelTransaction: ({ id }, call) =>
        call === 1 ? new NoAnswerError('lost') : { id, state: 'CANCELLED' },
      getTransaction: (_, call) =>
        call < 3 ? pending : { transaction: transferRecord({ state: 'CANCELLED' }) },
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Settling');
    await orders.client.workflow.getHandle(id).executeUpdate('cancel', cancel);
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    const keys = custody.calls('cancelTransaction').map(({ input }) => input.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test.concurrent("treats Temporal's cancellation like its own update", async () => {
    const custody = scriptedCustody({
      cancelTransaction: ({ id }) => ({ id, state: 'CANCELLED' }),
      getTransaction: () => ({ transaction: transferRecord({ state: 'CANCELLED' }) }),
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Settling');
    await orders.client.workflow.getHandle(id).cancel();
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    expect(custody.calls('cancelTransaction')).toHaveLength(1);
  });

  test.concurrent('fails when the service cancels without a request of this order', async () => {
    const record = transferRecord({ state: 'CANCELLED' });
    const { steadfast } = await serve(
      scriptedCustody({ getTransaction: () => ({ transaction: record }) }),
    );
    await expect(steadfast.execute('transferStablecoin', newId(), order)).rejects.toMatchObject({
      outcome: 'failed',
      record: expect.objectContaining({ state: 'CANCELLED' }),
    });
  });
});
