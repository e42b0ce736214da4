import { randomUUID } from 'node:crypto';
import { WorkflowClient } from '@temporalio/client';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { createServe } from '../../support/orders';
import {
  transferOrder as order,
  type ScriptedCustody,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const newId = (): string => `transfer:${randomUUID()}`;
const serve = createServe();
const pending = { transaction: transferRecord({ state: 'PENDING' }) };
const cancel: { args: [{ reason: string }] } = { args: [{ reason: 'changed our mind' }] };

/** A transfer that the service has accepted. */
async function settling(custody: ScriptedCustody) {
  const { steadfast, progress, client } = await serve(custody);
  const id = newId();
  const started = await steadfast.start('transferStablecoin', id, order);
  await progress(id, ({ status }) => status === 'Settling');
  return { started, handle: client.workflow.getHandle(id) };
}

/** Has Temporal answer the first requests to cancel the run of an order with an error. */
function unanswered(id: string, times: number): void {
  const { getHandle } = WorkflowClient.prototype;
  let left = times;
  const failing: typeof getHandle = function (this: WorkflowClient, workflowId, ...more) {
    const handle = getHandle.call(this, workflowId, ...more);
    if (workflowId !== id) return handle;
    const cancel = () => (left-- > 0 ? Promise.reject(new Error('away')) : handle.cancel());
    return { ...handle, cancel };
  };
  jest.spyOn(WorkflowClient.prototype, 'getHandle').mockImplementation(failing);
}

describe('a cancelled order', () => {
  test.concurrent('closes as cancelled, however late Temporal answers', async () => {
    const custody = scriptedCustody({
      cancelTransaction: ({ id }) => ({ id, state: 'CANCELLED' }),
      getTransaction: () => ({ transaction: transferRecord({ state: 'CANCELLED' }) }),
    });
    const { started, handle } = await settling(custody);
    unanswered(handle.workflowId, 5);
    await handle.executeUpdate('cancel', cancel);
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    expect((await handle.describe()).status.name).toBe('CANCELLED');
  });

  test.concurrent('is completed when the cancellation came too late', async () => {
    const tooLate = new RefusedError('too late', { status: 400, code: 155229 });
    const custody = scriptedCustody({
      cancelTransaction: () => tooLate,
      getTransaction: (_, call) => (call < 3 ? pending : { transaction: transferRecord() }),
    });
    const { started, handle } = await settling(custody);
    await handle.executeUpdate('cancel', cancel);
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
    const { started, handle } = await settling(custody);
    await handle.executeUpdate('cancel', cancel);
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    const keys = custody.calls('cancelTransaction').map(({ input }) => input.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).not.toBe(custody.calls('createTransfer')[0]?.input.idempotencyKey);
  });

  test.concurrent("treats Temporal's cancellation like its own update", async () => {
    const custody = scriptedCustody({
      cancelTransaction: ({ id }) => ({ id, state: 'CANCELLED' }),
      getTransaction: () => ({ transaction: transferRecord({ state: 'CANCELLED' }) }),
    });
    const { started, handle } = await settling(custody);
    await handle.cancel();
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
