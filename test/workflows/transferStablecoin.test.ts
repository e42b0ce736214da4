import { randomUUID } from 'node:crypto';
import {
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnexpectedAnswerError,
} from '../../src/custody/errors';
import { createServe } from '../support/orders';
import {
  transferOrder as order,
  recipient,
  scriptedCustody,
  sender,
  transferRecord,
} from '../support/service/scriptedCustody';

const newId = (): string => `transfer:${randomUUID()}`;
const noFunds = (): RefusedError =>
  new RefusedError('createTransfer was answered with 400, code 155258: no funds', {
    status: 400,
    code: 155258,
  });

const serve = createServe();

describe('transferStablecoin', () => {
  test.concurrent('returns the transaction hash once the transfer has settled', async () => {
    const custody = scriptedCustody({
      getTransaction: (_, call) => ({
        transaction: transferRecord({ state: call === 1 ? 'PENDING' : 'COMPLETE' }),
      }),
    });
    const { steadfast } = await serve(custody);
    const receipt = await steadfast.execute('transferStablecoin', newId(), order);
    expect(receipt).toMatchObject({ txHash: '0xabc', amount: '5', token: 'USDC', polls: 2 });
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });

  test.concurrent('sends the same key, reference and body with every attempt', async () => {
    const custody = scriptedCustody({
      createTransfer: (_, call) =>
        call < 3 ? new NoAnswerError('lost') : { id: transferRecord().id, state: 'INITIATED' },
    });
    const { steadfast } = await serve(custody);
    await steadfast.execute('transferStablecoin', newId(), order);
    const [first, ...others] = custody.calls('createTransfer').map(({ input }) => input);
    expect(others).toEqual([first, first]);
  });

  test.concurrent('sends another order under another key', async () => {
    const custody = scriptedCustody();
    const { steadfast } = await serve(custody);
    await Promise.all([
      steadfast.execute('transferStablecoin', newId(), order),
      steadfast.execute('transferStablecoin', newId(), order),
    ]);
    const keys = custody.calls('createTransfer').map(({ input }) => input.idempotencyKey);
    expect(new Set(keys).size).toBe(2);
  });

  test.concurrent('fails at once, with the reason, when the service refuses it', async () => {
    const { steadfast } = await serve(scriptedCustody({ createTransfer: noFunds }));
    await expect(steadfast.execute('transferStablecoin', newId(), order)).rejects.toMatchObject({
      outcome: 'refused',
      message: 'createTransfer was answered with 400, code 155258: no funds',
    });
  });

  test.concurrent('is refused when all earlier attempts were never sent', async () => {
    const custody = scriptedCustody({
      createTransfer: (_, call) => (call < 3 ? new NotSentError('nobody listens') : noFunds()),
    });
    const { steadfast } = await serve(custody);
    await expect(steadfast.execute('transferStablecoin', newId(), order)).rejects.toMatchObject({
      outcome: 'refused',
    });
    expect(custody.calls('createTransfer')).toHaveLength(3);
  });

  test.concurrent('goes on when a refused API key is corrected', async () => {
    const unauthorised = new RefusedError('401: key not found', { status: 401, code: 156007 });
    const custody = scriptedCustody({
      createTransfer: (_, call) =>
        call === 1 ? unauthorised : { id: transferRecord().id, state: 'INITIATED' },
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toMatch(/^401: key not found\. .*CUSTODY_API_KEY/);
    expect((await started.receipt()).state).toBe('COMPLETE');
  });

  test.concurrent('fails with the record and its reason when the transaction failed', async () => {
    const record = transferRecord({ state: 'FAILED', errorReason: 'FAILED_ON_CHAIN' });
    const custody = scriptedCustody({ getTransaction: () => ({ transaction: record }) });
    const { steadfast } = await serve(custody);
    await expect(steadfast.execute('transferStablecoin', newId(), order)).rejects.toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('ended as FAILED: FAILED_ON_CHAIN'),
      record: expect.objectContaining({ id: record.id, state: 'FAILED' }),
    });
  });

  test.concurrent('keeps polling while the state is an unknown word', async () => {
    const custody = scriptedCustody({
      getTransaction: (_, call) => ({
        transaction: transferRecord({ state: call === 1 ? 'TELEPORTING' : 'COMPLETE' }),
      }),
    });
    const { steadfast } = await serve(custody);
    expect((await steadfast.execute('transferStablecoin', newId(), order)).polls).toBe(2);
  });

  test.concurrent.each([
    ['amount', { amounts: ['50'] }, 'amount is 50, ordered was 5'],
    ['destination', { destinationAddress: sender.address }, 'destinationAddress is'],
    ['sender', { sourceAddress: recipient }, 'sourceAddress is'],
  ])('stops for an operator when the record shows another %s', async (_, fields, words) => {
    const transaction = transferRecord(fields);
    const orders = await serve(scriptedCustody({ getTransaction: () => ({ transaction }) }));
    const id = newId();
    await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toContain(words);
    await orders.client.workflow.getHandle(id).terminate();
  });

  test.concurrent('stops for an operator when the record shows another token', async () => {
    const eurc = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
    const custody = scriptedCustody({
      getToken: ({ id }) => ({
        token: {
          id,
          blockchain: 'ARC-TESTNET',
          isNative: false,
          symbol: 'EURC',
          tokenAddress: eurc,
          createDate: '',
          updateDate: '',
        },
      }),
    });
    const orders = await serve(custody);
    const id = newId();
    await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(progress.waitingFor).toContain('token is EURC');
    await orders.client.workflow.getHandle(id).terminate();
  });

  test.concurrent('treats the native coin and its ERC-20 view as one token', async () => {
    const native = '15dc2b5d-0994-58b0-bf8c-3a0501148ee8';
    const custody = scriptedCustody({
      getTransaction: () => ({ transaction: transferRecord({ tokenId: native }) }),
      getToken: ({ id }) => ({
        token: { id, blockchain: 'ARC-TESTNET', isNative: true, createDate: '', updateDate: '' },
      }),
    });
    const { steadfast } = await serve(custody);
    expect((await steadfast.execute('transferStablecoin', newId(), order)).state).toBe('COMPLETE');
  });

  test.concurrent('waits while the service cannot be reached, and then goes on', async () => {
    const custody = scriptedCustody({
      getTransaction: (_, call) =>
        call < 3 ? new NoAnswerError('down') : { transaction: transferRecord() },
    });
    const { steadfast } = await serve(custody);
    expect((await steadfast.execute('transferStablecoin', newId(), order)).state).toBe('COMPLETE');
  });

  test.concurrent('is not refused when the service gives garbled answers for a while', async () => {
    const garbled = new UnexpectedAnswerError('The answer is a page.', { status: 200 });
    const usual = scriptedCustody();
    const custody = scriptedCustody({
      getWallet: (input, call) => (call < 3 ? garbled : usual.getWallet(input)),
      getTransaction: (_, call) => (call < 3 ? garbled : { transaction: transferRecord() }),
    });
    const orders = await serve(custody);
    const id = newId();
    await orders.steadfast.start('transferStablecoin', id, order);
    const { waitingFor } = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(waitingFor).toMatch(/The answer is a page\. .*CUSTODY_BASE_URL/);
    expect(await orders.client.workflow.getHandle(id).result()).toMatchObject({
      state: 'COMPLETE',
    });
  });

  test.concurrent('is refused after its date has passed, and sends nothing', async () => {
    const custody = scriptedCustody();
    const { steadfast } = await serve(custody);
    const late = { ...order, validUntil: '2020-01-01T00:00:00Z' };
    await expect(steadfast.execute('transferStablecoin', newId(), late)).rejects.toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('validUntil: 2020-01-01T00:00:00Z has passed'),
    });
    expect(custody.calls('createTransfer')).toHaveLength(0);
  });

  test.concurrent('is not sent again under a key older than the key lifetime', async () => {
    const custody = scriptedCustody({ createTransfer: () => new NoAnswerError('lost') });
    const orders = await serve(custody, { keyLifetimeMs: 500 });
    const id = newId();
    await orders.steadfast.start('transferStablecoin', id, order);
    const progress = await orders.progress(id, ({ status }) => status === 'Unknown');
    expect(progress.waitingFor).toContain('CUSTODY_KEY_LIFETIME_HOURS');
    expect(custody.calls('createTransfer')).toHaveLength(1);
    await orders.client.workflow.getHandle(id).terminate();
  });
});

describe('an order whose record is not what was ordered', () => {
  test.concurrent('can be given up, and sends nothing again', async () => {
    const transaction = transferRecord({ amounts: ['50'] });
    const custody = scriptedCustody({
      createTransfer: () => ({ id: transaction.id, state: 'INITIATED' }),
      getTransaction: () => ({ transaction }),
    });
    const orders = await serve(custody);
    const id = newId();
    const started = await orders.steadfast.start('transferStablecoin', id, order);
    const { exits } = await orders.progress(id, ({ status }) => status === 'NeedsOperator');
    expect(exits?.map(({ command }) => command)).toContain(
      `steadfast resolve ${id} --target 'transfer/1#0' --finding skip --evidence "why"`,
    );
    const { id: evidence } = transaction;
    const found = { target: 'transfer/1#0', evidence };
    const completed = orders.steadfast.resolve(id, { ...found, finding: 'completed' });
    await expect(completed).rejects.toThrow('amount is 50, ordered was 5');
    const words = await orders.steadfast.resolve(id, { ...found, finding: 'skip' });
    expect(words).toContain('is given up');
    await expect(started.receipt()).rejects.toMatchObject({ outcome: 'failed' });
    expect(custody.calls('createTransfer')).toHaveLength(1);
  });
});
