import { randomUUID } from 'node:crypto';
import { createSteadfast } from '../../../src/client/client';
import { RefusedError } from '../../../src/custody/errors';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { refId } from '../../../src/custody/reference';
import { runCli } from '../../cli/runCli';
import { createServe, startPermissively } from '../../support/orders';
import {
  transferOrder as order,
  readsOf,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';
import { temporalAddress } from '../../support/temporal';
import { type TestKey, testKeys } from '../../writer/signing/keys';

const newId = (): string => `transfer:${randomUUID()}`;
const serve = createServe();

/** A service that stores accepted transfers by reference, and fails the first ones. */
function failing(times: number, state = 'FAILED') {
  const records: Transaction[] = [];
  const custody = scriptedCustody({
    createTransfer: ({ refId: reference = '' }) => {
      const end = records.length < times ? state : 'COMPLETE';
      const record = transferRecord({ id: randomUUID(), refId: reference, state: end });
      records.push(record);
      return { id: record.id, state: 'INITIATED' };
    },
    ...readsOf(records),
    cancelTransaction: ({ id }) => ({ id, state: 'CANCELLED' }),
  });
  const keys = () => custody.calls('createTransfer').map(({ input }) => input.idempotencyKey);
  return { custody, records, keys };
}

/** An order whose first transfer the service has cancelled, and that was cancelled, too. */
async function cancelled() {
  const { custody, keys } = failing(1, 'CANCELLED');
  const orders = await serve(custody);
  const id = newId();
  const started = await orders.steadfast.start('transferStablecoin', id, order);
  await orders.progress(id, ({ status }) => status === 'Settling');
  await orders.steadfast.cancel(id, 'changed our mind');
  await expect(started.receipt()).rejects.toMatchObject({ outcome: 'cancelled' });
  return { orders, id, keys };
}

describe('an order whose transfer had no effect', () => {
  test.concurrent('is retried under a new key when it is resubmitted', async () => {
    const { custody, keys, records } = failing(2);
    const orders = await serve(custody);
    const { steadfast } = orders;
    const id = newId();
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toThrow();
    const second = await steadfast.resubmit(id);
    await expect(second.receipt()).rejects.toMatchObject({ outcome: 'failed' });
    const third = await steadfast.resubmit(id);
    const receipt = await third.receipt();
    expect(new Set(keys()).size).toBe(3);
    expect(records.map((record) => record.refId)).toEqual(
      [0, 1, 2].map((generation) => {
        return refId({ workflowId: id, step: 'transfer', item: '1', generation });
      }),
    );
    // Every later start returns the result of the new attempt.
    const again = await startPermissively(orders, id, order);
    expect(await again.result()).toEqual(receipt);
    await expect(steadfast.resubmit(id)).rejects.toThrow('is completed. There is nothing');
    expect(keys()).toHaveLength(3);
  });

  test.concurrent('hands on since when the service calls its operation failed', async () => {
    const { custody, records } = failing(1);
    const userOpHash = `0x${'ab'.repeat(32)}`;
    const named = new Proxy(custody, {
      get: (all, name: keyof typeof custody) =>
        name === 'getTransaction'
          ? async () => ({ transaction: { ...records[0], userOpHash } })
          : all[name],
    });
    const { steadfast, client } = await serve(named);
    const id = newId();
    const sinceMs = Date.now();
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toThrow();
    await steadfast.resubmit(id);
    const handle = client.workflow.getHandle(id);
    const opened = async () =>
      (await handle.fetchHistory()).events?.find(
        (event) => event.activityTaskCompletedEventAttributes,
      );
    while ((await opened()) === undefined) await new Promise((done) => setTimeout(done, 50));
    const { payloads } = (await opened())?.activityTaskCompletedEventAttributes?.result ?? {};
    const { earlier } = JSON.parse(Buffer.from(payloads?.[0]?.data ?? '').toString());
    const one = earlier.heard['transfer/1#0'];
    expect(one).toEqual({ id: records[0]?.id, userOpHash, sinceMs: expect.any(Number) });
    expect(one.sinceMs).toBeGreaterThanOrEqual(sinceMs);
    await handle.terminate();
  });

  test.concurrent('goes on from a new attempt that the list does not show yet', async () => {
    const taken = new Map<string, Transaction>();
    const custody = scriptedCustody({
      createTransfer: ({ idempotencyKey = '', refId: reference = '' }) => {
        const state = taken.size === 0 ? 'FAILED' : 'SENT';
        const made = transferRecord({ id: randomUUID(), refId: reference, state });
        const record = taken.get(idempotencyKey) ?? made;
        taken.set(idempotencyKey, record);
        return { id: record.id, state: 'INITIATED' };
      },
      getTransaction: ({ id }) => {
        const transaction = [...taken.values()].find((record) => record.id === id);
        return transaction ? { transaction } : new RefusedError('none', { status: 404, code: 404 });
      },
      listTransactions: ({ pageAfter }) => ({
        transactions: pageAfter === undefined ? [...taken.values()].slice(0, 1) : [],
      }),
    });
    const orders = await serve(custody);
    const { steadfast } = orders;
    const id = newId();
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toThrow();
    await steadfast.resubmit(id);
    await orders.progress(id, () => taken.size === 2);
    await orders.client.workflow.getHandle(id).terminate('a test');
    const again = await startPermissively(orders, id, order);
    await orders.progress(id, ({ status }) => status === 'Settling');
    for (const record of taken.values()) {
      if (record.state === 'SENT') record.state = 'COMPLETE';
    }
    expect(await again.result()).toMatchObject({ state: 'COMPLETE' });
    expect(taken.size).toBe(2);
  });

  test.concurrent('is retried once, however many callers ask', async () => {
    const { custody, keys } = failing(1);
    const { steadfast } = await serve(custody);
    const id = newId();
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toThrow();
    const started = await Promise.all(Array.from({ length: 10 }, () => steadfast.resubmit(id)));
    const receipts = await Promise.all(started.map((one) => one.receipt()));
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
    expect(keys()).toHaveLength(2);
  });

  test.concurrent('is retried after the service has cancelled it', async () => {
    const { orders, id, keys } = await cancelled();
    const again = await startPermissively(orders, id, order);
    await expect(again.result()).rejects.toMatchObject({ cause: { type: 'Refused' } });
    // The newest run is the refused start. The proof is in the run before it.
    const last = await orders.steadfast.resubmit(id);
    expect(await last.receipt()).toMatchObject({ state: 'COMPLETE' });
    expect(keys()).toHaveLength(2);
  });
});

describe('an order that was cancelled and resubmitted', () => {
  test.concurrent('goes on from the new attempt when it is started as at first', async () => {
    const { orders, id, keys } = await cancelled();
    await orders.steadfast.resubmit(id);
    await orders.progress(id, ({ status }) => status === 'Settling');
    await orders.client.workflow.getHandle(id).terminate();
    const again = await startPermissively(orders, id, order);
    expect(await again.result()).toMatchObject({ state: 'COMPLETE' });
    expect(keys()).toHaveLength(2);
  });
});

describe('a signed order whose transfer had no effect', () => {
  const makeKey = testKeys();
  const [backend, operator] = [makeKey('backend'), makeKey('operator')];

  test.concurrent('is retried by the key that has signed it, or from your own order', async () => {
    const { custody, keys } = failing(2);
    const { client, taskQueue } = await serve(custody);
    const signingWith = ({ sign }: TestKey) => {
      const signing = { sign, entity: 'e1', blockchain: 'ARC-TESTNET' };
      return createSteadfast({ client, taskQueue, signing });
    };
    const id = newId();
    await expect(signingWith(backend).execute('transferStablecoin', id, order)).rejects.toThrow();
    const words = '"generations": {"transfer/1":1}.';
    await expect(signingWith(operator).resubmit(id)).rejects.toThrow(words);
    const second = await signingWith(backend).resubmit(id);
    await expect(second.receipt()).rejects.toThrow();
    const own = { ...order, generations: { 'transfer/1': 2 } };
    await signingWith(operator).execute('transferStablecoin', id, own);
    expect(new Set(keys()).size).toBe(3);
  });
});

describe('an order that needs no new attempt', () => {
  test.concurrent('is not resubmitted, with the reason why', async () => {
    const noFunds = new RefusedError('no funds', { status: 400, code: 155258 });
    const custody = scriptedCustody({ createTransfer: () => noFunds });
    const orders = await serve(custody);
    const { steadfast } = orders;
    const id = newId();
    await expect(steadfast.resubmit(id)).rejects.toThrow(`Temporal knows no order "${id}".`);
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toThrow();
    await expect(steadfast.resubmit(id)).rejects.toThrow('without a transaction that failed');
    await expect(steadfast.cancel(id, 'too late')).rejects.toThrow('is not under way any more');
  });

  // The command line loads its commands when it needs them, which jest allows within a test alone.
  test('says so on the command line, with the exit code of bad input', async () => {
    const orders = await serve(scriptedCustody());
    const id = newId();
    await orders.steadfast.execute('transferStablecoin', id, order);
    const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: orders.taskQueue };
    const resubmitted = await runCli(['resubmit', id], env);
    expect(resubmitted.stderr).toContain(`${id} is completed. There is nothing to retry.`);
    expect(resubmitted.code).toBe(2);
    const wrong = ['resolve', id, '--target', 'transfer/1#0', '--finding', 'maybe'];
    const resolved = await runCli([...wrong, '--evidence', 'x'], env);
    expect(resolved.stderr).toContain('--finding: "maybe" must be one of completed, noEffect');
    expect(resolved.code).toBe(2);
    const cancelled = await runCli(['cancel', id, '--reason', 'late', '--json'], env);
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ end: 'badInput' });
    expect(cancelled.code).toBe(2);
  });
});
