import { randomUUID } from 'node:crypto';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import { createServe, startPermissively } from '../../support/orders';
import {
  transferOrder as order,
  scriptedCustody,
  sender,
  transferRecord,
} from '../../support/service/scriptedCustody';

const newId = (): string => `transfer:${randomUUID()}`;

const serve = createServe();

describe('an order that is started again', () => {
  test.concurrent('returns its receipt when it had completed, and moves nothing', async () => {
    const custody = scriptedCustody();
    const orders = await serve(custody);
    const id = newId();
    const first = await orders.steadfast.execute('transferStablecoin', id, order);
    const again = await orders.steadfast.start('transferStablecoin', id, order);
    expect(again.outcome).toBe('completed');
    expect(await again.receipt()).toEqual(first);
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });

  test.concurrent('is refused when its money fields differ, naming them', async () => {
    const custody = scriptedCustody();
    const orders = await serve(custody);
    const id = newId();
    await orders.steadfast.execute('transferStablecoin', id, order);
    await expect(
      orders.steadfast.start('transferStablecoin', id, { ...order, amount: '6' }),
    ).rejects.toThrow('belongs to another order: amount was "5", is "6"');
    const again = await startPermissively(orders, id, { ...order, amount: '6' });
    await expect(again.result()).rejects.toMatchObject({
      cause: { type: 'Refused', message: expect.stringContaining('amount was "5", is "6"') },
    });
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });

  test.concurrent('is one order though it names its wallet otherwise', async () => {
    const custody = scriptedCustody({
      listWallets: async () => {
        const { wallet } = await custody.getWallet({ id: sender.id });
        return { wallets: [wallet] };
      },
    });
    const orders = await serve(custody);
    const id = newId();
    const first = await orders.steadfast.execute('transferStablecoin', id, order);
    const byAddress = { ...order, from: { walletAddress: sender.address } };
    const again = await startPermissively(orders, id, byAddress);
    expect(await again.result()).toEqual(first);
  });

  test.concurrent('attaches to the run that is under way', async () => {
    const custody = scriptedCustody();
    const orders = await serve(custody);
    const id = newId();
    const starts = await Promise.all(
      Array.from({ length: 20 }, () => orders.steadfast.start('transferStablecoin', id, order)),
    );
    const outcomes = starts.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'started')).toHaveLength(1);
    expect(
      new Set((await Promise.all(starts.map((one) => one.receipt()))).map((r) => r.key)).size,
    ).toBe(1);
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });

  test.concurrent('trusts no refusal when an earlier run may have sent', async () => {
    const noFunds = new RefusedError('no funds', { status: 400, code: 155258 });
    const custody = scriptedCustody({
      createTransfer: (_, call) => (call === 1 ? new NoAnswerError('lost') : noFunds),
    });
    const orders = await serve(custody);
    const id = newId();
    await orders.steadfast.start('transferStablecoin', id, order);
    await orders.progress(id, ({ status }) => status === 'Unknown');
    await orders.client.workflow.getHandle(id).terminate();
    await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'Unknown');
    expect(progress.waitingFor).toContain('no funds');
    await orders.client.workflow.getHandle(id).terminate();
  });

  test.concurrent('may be refused again after it was refused', async () => {
    const noFunds = new RefusedError('no funds', { status: 400, code: 155258 });
    const custody = scriptedCustody({
      createTransfer: (_, call) =>
        call < 3 ? noFunds : { id: transferRecord().id, state: 'INITIATED' },
    });
    const { steadfast } = await serve(custody);
    const id = newId();
    const refused = { outcome: 'refused', message: 'no funds' };
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toMatchObject(refused);
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toMatchObject(refused);
    expect((await steadfast.execute('transferStablecoin', id, order)).state).toBe('COMPLETE');
  });

  test.concurrent('needs an operator when it would drive another service than before', async () => {
    const id = newId();
    const one = await serve(scriptedCustody(), { baseUrl: 'http://one' });
    await one.steadfast.execute('transferStablecoin', id, order);
    const custody = scriptedCustody();
    const other = await serve(custody, { baseUrl: 'http://other' });
    await startPermissively(other, id, order);
    const progress = await other.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toContain('baseUrl was http://one, is http://other');
    expect(custody.calls('createTransfer')).toHaveLength(0);
    await other.client.workflow.getHandle(id).terminate();
  });
});
