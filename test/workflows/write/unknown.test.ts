import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { NoAnswerError, RefusedError } from '../../../src/custody/errors';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { createServe, type Orders } from '../../support/orders';
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
  transferRecord,
} from '../../support/service/scriptedCustody';

const serve = createServe();
const park = parking(serve);

/** The reason with which an update was turned down. */
async function reason(update: Promise<unknown>): Promise<string> {
  const error = await update.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WorkflowUpdateFailedError)) throw new Error(`It was accepted: ${error}`);
  return error.cause instanceof Error ? error.cause.message : '';
}

/** Waits until an order has accepted an update. */
async function accepts({ client, progress }: Orders, id: string): Promise<void> {
  for (;;) {
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    if (events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes)) return;
    await progress(id, () => true);
  }
}

describe('an order whose transfer the service has accepted before', () => {
  test.concurrent('finds it, on whichever page it is, and sends nothing', async () => {
    const id = newId();
    const others = Array.from({ length: 5 }, () =>
      transferRecord({ id: randomUUID(), refId: `somebody else's ${'0'.repeat(16)}.g0` }),
    );
    const custody = listing([...others, recordOf(id)]);
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('transferStablecoin', id, order);
    expect(receipt.transactionId).toBe(transferRecord().id);
    expect(sent(custody)).toEqual([]);
  });

  test.concurrent('waits out the limit of calls in the middle of a long list', async () => {
    const id = newId();
    const others = Array.from({ length: 12 }, () =>
      transferRecord({ id: randomUUID(), refId: `somebody else's ${'0'.repeat(16)}.g0` }),
    );
    const records = [...others, recordOf(id)];
    const tooMany = new RefusedError('429', { status: 429, code: 429, retryAfterMs: 50 });
    const custody = scriptedCustody({
      // Every third call is one too many, so that a caller that starts over each time never gets to the end.
      listTransactions: ({ pageAfter }, call) => {
        if (call % 3 === 0) return tooMany;
        const start = records.findIndex((one) => one.id === pageAfter) + 1;
        return { transactions: records.slice(start, start + 2) };
      },
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('transferStablecoin', id, order);
    expect(receipt.transactionId).toBe(transferRecord().id);
    expect(sent(custody)).toEqual([]);
  });

  test.concurrent('goes on from its highest generation', async () => {
    const id = newId();
    const failed = recordOf(id, { id: randomUUID(), state: 'FAILED' });
    const custody = listing([recordOf(id, { generation: 1 }), failed], {
      getTransaction: ({ id: wanted }: { id: string }) => ({
        transaction: wanted === failed.id ? failed : transferRecord(),
      }),
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('transferStablecoin', id, order);
    expect(receipt.transactionId).toBe(transferRecord().id);
    expect(sent(custody)).toEqual([]);
  });

  test.concurrent('ends as failed again when that had failed, and sends nothing', async () => {
    const id = newId();
    const record = recordOf(id, { state: 'FAILED' });
    const custody = listing([record], { getTransaction: () => ({ transaction: record }) });
    const { steadfast } = await serve(custody);
    await expect(steadfast.execute('transferStablecoin', id, order)).rejects.toMatchObject({
      outcome: 'failed',
    });
    expect(sent(custody)).toEqual([]);
  });

  test.concurrent('needs an operator when it is there twice', async () => {
    const id = newId();
    const custody = listing([recordOf(id), recordOf(id, { id: randomUUID() })]);
    const orders = await serve(custody);
    await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toContain('2 records of this write');
    expect(sent(custody)).toEqual([]);
    await orders.client.workflow.getHandle(id).terminate();
  });
});

describe('a new attempt', () => {
  const generations = { 'transfer/1': 1 };

  test.concurrent('is made under another key, once the last one is proven to be void', async () => {
    const id = newId();
    const failed = recordOf(id, { id: randomUUID(), state: 'FAILED' });
    const custody = listing([failed], {
      getTransaction: ({ id: wanted }: { id: string }) => ({
        transaction: wanted === failed.id ? failed : transferRecord(),
      }),
    });
    const orders = await serve(custody);
    await orders.steadfast.execute('transferStablecoin', id, { ...order, generations });
    const first = listing([]);
    const plain = await serve(first);
    await plain.steadfast.execute('transferStablecoin', newId(), order);
    expect(sent(custody)).toHaveLength(1);
    expect(custody.calls('createTransfer')[0]?.input.refId).toMatch(/\.g1$/);
  });

  test.concurrent('is not made while the last one is under way', async () => {
    const id = newId();
    const custody = listing([recordOf(id, { state: 'PENDING' })], {
      getTransaction: () => ({ transaction: recordOf(id) }),
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('transferStablecoin', id, { ...order, generations });
    expect(receipt.transactionId).toBe(transferRecord().id);
    expect(sent(custody)).toEqual([]);
  });

  test.concurrent('is refused where there is no trace of the last one', async () => {
    const custody = listing([]);
    const { steadfast } = await serve(custody);
    const again = steadfast.execute('transferStablecoin', newId(), { ...order, generations });
    await expect(again).rejects.toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('generations: #1 of this write needs a record'),
    });
    expect(sent(custody)).toEqual([]);
  });

  test.concurrent('is refused for what is no transaction of the order', async () => {
    const { steadfast } = await serve(listing([]));
    const wrong = { ...order, generations: { 'trasnfer/1': 1 } };
    await expect(steadfast.execute('transferStablecoin', newId(), wrong)).rejects.toMatchObject({
      message:
        'generations.trasnfer/1: is no transaction of this order, which has transfer/1. Leave it out.',
    });
  });
});

describe('an order that does not know whether its transfer was accepted', () => {
  test.concurrent('shows what it knows of it, and how to decide', async () => {
    const { progress, end } = await park([]);
    expect(progress.target).toBe('transfer/1#0');
    const evidence = progress.evidence?.map((line) => line.replace(/^\S+ /, ''));
    expect(evidence).toEqual([
      'lost',
      'no funds',
      'looked through 0 records of the service, with the reference of this write: 0',
    ]);
    await end();
  });

  test.concurrent('looks over the whole grace period before it asks anybody', async () => {
    const startedAtMs = Date.now();
    const { end } = await park([], {}, { lookupGraceMs: 4_000 });
    expect(Date.now() - startedAtMs).toBeGreaterThan(4_000);
    await end();
  });

  test.concurrent('goes on by itself when it turns up', async () => {
    const records: Transaction[] = [];
    const { orders, custody, id, started } = await park(records);
    records.push(recordOf(id));
    await orders.client.workflow.getHandle(id).signal('wake');
    expect((await started.receipt()).transactionId).toBe(transferRecord().id);
    expect(sent(custody)).toHaveLength(2);
  });

  test.concurrent.each([
    [
      'another target',
      { target: 'transfer/1#1', evidence: transferRecord().id },
      'transfer/1#0 does',
    ],
    ['a skip', { finding: 'skip' as const }, 'is for a line of a payout'],
  ])('takes no finding with %s', async (_, finding, words) => {
    const { orders, id, end } = await park([]);
    expect(await reason(resolve(orders, id, finding))).toContain(words);
    await end();
  });

  test.concurrent('goes on from the transaction that somebody found', async () => {
    const { orders, id, started, custody } = await park([]);
    const { id: evidence } = transferRecord();
    expect(await resolve(orders, id, { evidence })).toContain('goes on from that transaction');
    expect((await started.receipt()).transactionId).toBe(evidence);
    expect(sent(custody)).toHaveLength(2);
  });

  test.concurrent('takes its hash for it too', async () => {
    const txHash = `0x${'ab'.repeat(32)}`;
    const { orders, id, started } = await park([transferRecord({ txHash })]);
    await resolve(orders, id, { evidence: txHash });
    expect((await started.receipt()).transactionId).toBe(transferRecord().id);
  });

  test.concurrent.each([
    ['of another amount', { amounts: ['50'] }, 'amount is 50, ordered was 5'],
    ['of another order', { refId: `other ${'0'.repeat(16)}.g0` }, 'is no transaction of this'],
    ['that failed', { state: 'FAILED' }, 'Its finding is retry'],
  ])('does not go on from a transaction %s', async (_, fields, words) => {
    const transaction = transferRecord(fields);
    const { orders, id, end } = await park([], { getTransaction: () => ({ transaction }) });
    expect(await reason(resolve(orders, id, { evidence: transaction.id }))).toContain(words);
    expect((await orders.progress(id, () => true)).status).toBe('Unknown');
    await end();
  });

  test.concurrent('sends the same again under the same key when nothing came of it', async () => {
    const lostTwice = (_: unknown, call: number) =>
      [new NoAnswerError('lost'), noFunds()][call - 1] ?? accepted;
    const { orders, id, started, custody } = await park([], { createTransfer: lostTwice });
    await resolve(orders, id, { finding: 'noEffect', evidence: 'the service says so' });
    expect((await started.receipt()).state).toBe('COMPLETE');
    expect(sent(custody)).toHaveLength(3);
    expect(new Set(sent(custody)).size).toBe(1);
  });

  test.concurrent('does not send it again under a key that is too old', async () => {
    const { orders, id, custody, end } = await park([], {}, { keyLifetimeMs: 2_000 });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const refused = resolve(orders, id, { finding: 'noEffect' });
    expect(await reason(refused)).toContain('older than CUSTODY_KEY_LIFETIME_HOURS');
    expect(sent(custody).length).toBeLessThanOrEqual(2);
    await end();
  });

  test.concurrent('makes a new attempt when somebody found the last one to be void', async () => {
    const failed = transferRecord({ id: randomUUID(), state: 'FAILED' });
    const settledNow = transferRecord();
    const { orders, id, started, custody } = await park([], {
      createTransfer: (_: unknown, call: number) =>
        [new NoAnswerError('lost'), noFunds()][call - 1] ?? accepted,
      getTransaction: ({ id: wanted }: { id: string }) => ({
        transaction: wanted === failed.id ? failed : settledNow,
      }),
    });
    const retry = () => resolve(orders, id, { finding: 'retry', evidence: failed.id });
    expect(await reason(retry())).toContain('does not carry the reference of transfer/1#0');
    Object.assign(failed, { refId: recordOf(id).refId });
    await retry();
    expect((await started.receipt()).state).toBe('COMPLETE');
    expect(new Set(sent(custody)).size).toBe(2);
    expect(custody.calls('createTransfer')[2]?.input.refId).toMatch(/\.g1$/);
  });

  test.concurrent('takes a finding also while the list is read once more', async () => {
    let isHeld = false;
    let letRead = (): void => {};
    const { orders, id, started, custody } = await park([], {
      createTransfer: (_: unknown, call: number) =>
        [new NoAnswerError('lost'), noFunds()][call - 1] ?? accepted,
      listTransactions: async () => {
        if (isHeld) await new Promise<void>((resolve) => (letRead = resolve));
        return { transactions: [] };
      },
    });
    isHeld = true;
    const before = custody.calls('listTransactions').length;
    await orders.client.workflow.getHandle(id).signal('wake');
    await orders.progress(id, () => custody.calls('listTransactions').length > before);
    const resolved = resolve(orders, id, { finding: 'noEffect', evidence: 'the service says so' });
    await Promise.race([resolved, accepts(orders, id)]);
    isHeld = false;
    letRead();
    expect(await resolved).toContain('is sent again, under the same key');
    expect((await started.receipt()).state).toBe('COMPLETE');
  });
});
