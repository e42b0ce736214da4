import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { NoAnswerError, NotSentError } from '../../../src/custody/errors';
import { refId } from '../../../src/custody/reference';
import { createServe } from '../../support/orders';
import { newLines, paidOnChain, payers, payoutOf } from '../../support/payouts';
import { inSandbox } from '../../support/sandbox';
import {
  scriptedCustody,
  transferOrder,
  transferRecord,
} from '../../support/service/scriptedCustody';
import { inTemporal } from '../../support/temporal';

/** A server of Temporal whose runs nobody remembers after the database was restored. */
const forgotten = inTemporal();
const sandbox = inSandbox();
const serve = createServe();

const away = () => new NotSentError('nobody listens');

test.each([
  ['was never sent', away],
  ['may have been sent', () => new NoAnswerError('the connection broke')],
])(
  'an order that %s before its worker began is looked up again, and not sent twice',
  async (_, fails) => {
    const id = `transfer:${randomUUID()}`;
    const ref = refId({ workflowId: id, step: 'transfer', item: '1', generation: 0 });
    const custody = scriptedCustody({ createTransfer: () => fails() });
    // The run that has paid it is gone with the database, and the service has forgotten its key.
    const paid = scriptedCustody({
      createTransfer: () => ({ id: randomUUID(), state: 'INITIATED' }),
      listTransactions: ({ pageAfter }) => ({
        transactions: pageAfter ? [] : [transferRecord({ refId: ref })],
      }),
    });
    const orders = await serve(custody);
    const { receipt } = await orders.steadfast.start('transferStablecoin', id, transferOrder);
    while (custody.calls('createTransfer').length === 0) await sleep(50);
    await orders.replace(paid, { baseUrl: 'http://scripted' });
    expect(await receipt()).toMatchObject({ transactionId: transferRecord().id });
    expect(paid.calls('createTransfer')).toHaveLength(0);
  },
);

test('attempts that waited for a worker since before it began are looked up again first', async () => {
  const roles = ['workflows', 'reads'] as const;
  // So that the new writer has run for longer than the look-ups were old when it gets the last one.
  const limits = { writesPerSecond: 1, readsPerSecond: undefined };
  const orders = await serve(scriptedCustody(), { roles, limits });
  const ids = Array.from({ length: 3 }, () => `transfer:${randomUUID()}`);
  const isQueued = async (id: string) => {
    const { pendingActivities } = (await orders.client.workflow.getHandle(id).describe()).raw;
    return pendingActivities?.some(({ activityType }) => activityType?.name === 'createTransfer');
  };
  const receipts = ids.map(async (id) => {
    const { receipt } = await orders.steadfast.start('transferStablecoin', id, transferOrder);
    while (!(await isQueued(id))) await sleep(50);
    return receipt;
  });
  const started = await Promise.all(receipts);
  const records = ids.map((workflowId) => {
    const refOf = refId({ workflowId, step: 'transfer', item: '1', generation: 0 });
    return transferRecord({ id: randomUUID(), refId: refOf });
  });
  const paid = scriptedCustody({
    listTransactions: ({ pageAfter }) => ({ transactions: pageAfter ? [] : records }),
    getTransaction: ({ id }) => ({ transaction: transferRecord({ id }) }),
  });
  await orders.replace(paid, { baseUrl: 'http://scripted' });
  const ended = await Promise.all(started.map((receipt) => receipt()));
  expect(ended.map(({ transactionId }) => transactionId)).toEqual(records.map(({ id }) => id));
  expect(paid.calls('createTransfer')).toHaveLength(0);
});

test('an order that nobody has sent meanwhile is sent after the look-up', async () => {
  let isAway = true;
  const sent = { id: randomUUID(), state: 'INITIATED' } as const;
  const custody = scriptedCustody({
    createTransfer: () => (isAway ? away() : sent),
    getTransaction: () => ({ transaction: transferRecord({ id: sent.id }) }),
  });
  const orders = await serve(custody);
  const id = `transfer:${randomUUID()}`;
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, transferOrder);
  while (custody.calls('createTransfer').length === 0) await sleep(50);
  isAway = false;
  const looks = custody.calls('listTransactions').length;
  await orders.restart();
  expect(await receipt()).toMatchObject({ transactionId: sent.id });
  expect(custody.calls('listTransactions').length).toBeGreaterThan(looks);
});

test.each([
  ['in other batches', { linesMax: 3 }],
  ['line by line', false],
] as const)(
  'a batch whose lines were paid %s in a history that is gone pays none of them',
  async (_, batch) => {
    const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
    const custody: CustodyApi = { ...client, executeContract: () => Promise.reject(away()) };
    const orders = await serve(custody, { baseUrl, chainRpcUrl });
    const lines = newLines(12);
    const order = payoutOf(await payers(sandbox, 'EOA'), { batch: { linesMax: 4 } });
    const { receipt } = await orders.steadfast.payout(order, lines);
    const isReady = async () => {
      const { progress } = await orders.steadfast.status(`payout:${order.payoutId}`);
      return progress?.waitingFor.includes('nobody listens');
    };
    while (!(await isReady())) await sleep(100);
    const before = await serve(client, { baseUrl, chainRpcUrl, address: forgotten.address });
    const paid = await before.steadfast.payout({ ...order, batch }, lines.slice(0, 7));
    expect(await paid.receipt()).toMatchObject({ paid: 7 });
    await orders.replace(client, { baseUrl });
    expect(await receipt()).toMatchObject({ lines: 12, paid: 12, unknown: 0 });
    const logs = await paidOnChain(sandbox, lines);
    expect(Object.values(logs).map((hashes) => hashes.length)).toEqual(lines.map(() => 1));
  },
);
