import { randomUUID } from 'node:crypto';
import { RefusedError } from '../../../src/custody/errors';
import { createServe } from '../../support/orders';
import {
  transferOrder as order,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const newId = (): string => `transfer:${randomUUID()}`;
const serve = createServe();
const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });

/** A transfer that the service accepts at the second attempt, so that a test can act before. */
async function beforeSending() {
  const { id: transactionId } = transferRecord();
  const custody = scriptedCustody({
    createTransfer: (_, call) =>
      call === 1 ? unauthorised : { id: transactionId, state: 'INITIATED' },
  });
  const orders = await serve(custody);
  const id = newId();
  const started = await orders.steadfast.start('transferStablecoin', id, order);
  await orders.progress(id, ({ status }) => status === 'NeedsOperator');
  return { ...orders, custody, id, started };
}

describe('a paused order', () => {
  test.concurrent('sends nothing until it is resumed', async () => {
    const { steadfast, progress, custody, id, started, client } = await beforeSending();
    await steadfast.pause(id, 'the recipient called');
    await client.workflow.getHandle(id).signal('wake');
    const shown = await progress(id, ({ status }) => status === 'Paused');
    expect(shown.paused?.reason).toBe('the recipient called');
    expect(shown.waitingFor).toMatch(/resume it, before the transfer of 5 USDC/);
    expect(custody.calls('createTransfer')).toHaveLength(1);
    await steadfast.resume(id);
    expect((await started.receipt()).state).toBe('COMPLETE');
    expect(custody.calls('createTransfer')).toHaveLength(2);
    expect((await steadfast.status(id)).progress?.paused).toBeUndefined();
  });

  test.concurrent('can be cancelled without being resumed', async () => {
    const { steadfast, custody, id, started } = await beforeSending();
    await steadfast.pause(id, 'the recipient called');
    await steadfast.cancel(id, 'they want another address');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
    expect(custody.calls('createTransfer')).toHaveLength(1);
    // It can no longer be resumed.
    expect((await steadfast.status(id)).progress?.paused).toBeUndefined();
  });

  test.concurrent('still settles what the service has accepted', async () => {
    let isSettled = false;
    const pending = { transaction: transferRecord({ state: 'PENDING' }) };
    const custody = scriptedCustody({
      getTransaction: () => (isSettled ? { transaction: transferRecord() } : pending),
    });
    const { steadfast, progress } = await serve(custody);
    const id = newId();
    const started = await steadfast.start('transferStablecoin', id, order);
    await progress(id, ({ status }) => status === 'Settling');
    await steadfast.pause(id, 'month end');
    isSettled = true;
    expect((await started.receipt()).state).toBe('COMPLETE');
  });

  test.concurrent('shows the pause and the way out in its details', async () => {
    const { steadfast, id, client } = await beforeSending();
    await steadfast.pause(id, 'month end');
    const details = await client.workflow.getHandle(id).query('__temporal_workflow_metadata');
    expect(JSON.stringify(details)).toContain(`steadfast resume ${id}`);
    await steadfast.cancel(id, 'enough');
  });

  test.concurrent.each<[what: string, update: string, request: object, words: string]>([
    ['a pause without a reason', 'pause', {}, 'reason: is missing'],
    ['a resume of what is not paused', 'resume', {}, 'is not paused'],
    ['an acceleration where nothing settles', 'accelerate', {}, 'settles now'],
  ])('refuses %s with a reason', async (_, update, request, words) => {
    const { client, id, steadfast } = await beforeSending();
    const args: [object] = [request];
    const handle = client.workflow.getHandle(id);
    const heard = handle.executeUpdate(update, { args });
    await expect(heard).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining(words) }),
    });
    await steadfast.cancel(id, 'enough');
  });
});
