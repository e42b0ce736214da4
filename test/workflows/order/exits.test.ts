import { randomUUID } from 'node:crypto';
import { NoAnswerError, RefusedError, UnexpectedAnswerError } from '../../../src/custody/errors';
import type { Progress } from '../../../src/orders/progress/status';
import { createServe } from '../../support/orders';
import { accepted, listing, noFunds, recordOf, resolve } from '../../support/service/parkedOrder';
import {
  transferOrder as order,
  type ScriptedCustody,
  scriptedCustody,
  transferRecord,
} from '../../support/service/scriptedCustody';

const serve = createServe();
const gone = () =>
  new RefusedError('Cannot find target transaction', { status: 404, code: 156003 });
const unauthorised = () => new RefusedError('key not found', { status: 401, code: 156007 });
const garbled = () =>
  new UnexpectedAnswerError('It is not the interface (blockHeight: expected int).', {
    status: 200,
  });
const forbidden = () =>
  new RefusedError('getTransaction was answered with 403, code 3', { status: 403, code: 3 });
const graceMs = 1_000;

/** A state in which an order waits, by the service that leads there. */
type Waiting = {
  status: Progress['status'];
  custody: (id: string) => ScriptedCustody;
  /** Words of what it waits for. */
  waits?: RegExp;
};

/** The states in which nobody knows what became of a write, or records contradict each other. */
const states: Record<string, Waiting> = {
  'the service has lost its record': {
    status: 'NeedsOperator',
    custody: () => scriptedCustody({ getTransaction: gone }),
    waits: /does not know it now/,
  },
  'nobody can read its record': {
    status: 'NeedsOperator',
    custody: () => scriptedCustody({ getTransaction: garbled }),
    waits: /The record of transaction \S+ cannot be read\. .*blockHeight: expected int/,
  },
  'the service refuses its record': {
    status: 'NeedsOperator',
    custody: () => scriptedCustody({ getTransaction: forbidden }),
    waits: /The record of transaction \S+ cannot be read\. .*answered with 403/,
  },
  'its record is not what was ordered': {
    status: 'NeedsOperator',
    custody: () =>
      scriptedCustody({
        getTransaction: () => ({ transaction: transferRecord({ amounts: ['7'] }) }),
      }),
    waits: /is not what was ordered/,
  },
  'the service has two records of it': {
    status: 'NeedsOperator',
    custody: (id) => listing([recordOf(id), recordOf(id, { id: randomUUID() })]),
    waits: /has 2 records of this write/,
  },
  'the service refuses the API key': {
    status: 'NeedsOperator',
    custody: () => scriptedCustody({ createTransfer: unauthorised }),
  },
  'the service refuses the API key before the order is opened': {
    status: 'NeedsOperator',
    custody: () => scriptedCustody({ getWallet: unauthorised }),
  },
  'it may have been accepted': {
    status: 'Unknown',
    custody: () =>
      scriptedCustody({
        createTransfer: (_, call) => [new NoAnswerError('lost'), noFunds()][call - 1] ?? accepted,
      }),
  },
  'it is paused': {
    status: 'Paused',
    custody: () =>
      scriptedCustody({
        createTransfer: (_, call) => (call === 1 ? unauthorised() : accepted),
      }),
  },
  'its transaction settles': {
    status: 'Settling',
    custody: () => {
      const custody: ScriptedCustody = scriptedCustody({
        getTransaction: () =>
          custody.calls('cancelTransaction').length > 0
            ? { transaction: transferRecord({ state: 'CANCELLED' }) }
            : { transaction: transferRecord({ state: 'SENT' }) },
        cancelTransaction: ({ id }) => ({ id, state: 'CANCELLED' }),
        accelerateTransaction: ({ id }) => ({ id, state: 'SENT' }),
      });
      return custody;
    },
  },
};

async function waitIn(name: string) {
  const { status, custody: of, waits = /./ } = states[name] as Waiting;
  const id = `transfer:${randomUUID()}`;
  const custody = of(id);
  const orders = await serve(custody, { lookupGraceMs: graceMs });
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  if (status === 'Paused') {
    await orders.progress(id, (one) => one.status === 'NeedsOperator');
    await orders.steadfast.pause(id, 'a test');
  }
  const isThere = (one: Progress): boolean => one.status === status && waits.test(one.waitingFor);
  const progress = await orders.progress(id, isThere);
  // Nobody may wait for it yet when it ends.
  const end = receipt().then(
    () => 'completed',
    ({ outcome, message }) => `${outcome}: ${message}`,
  );
  return { id, custody, orders, progress, end };
}

const wordsOf = ({ exits = [] }: Progress): string[] =>
  exits.map(({ command }) => /--finding (\w+)/.exec(command)?.[1] ?? command.split(' ')[1] ?? '');

const sent = (custody: ScriptedCustody): number => custody.calls('createTransfer').length;

type Placed = Awaited<ReturnType<typeof waitIn>>;

/** The commands that a status shows, as the updates that they are. */
const acts: Record<string, (placed: Placed) => Promise<unknown>> = {
  cancel: ({ orders, id }) => orders.steadfast.cancel(id, 'no longer wanted'),
  skip: ({ orders, id }) => resolve(orders, id, { finding: 'skip', evidence: 'no longer wanted' }),
  accelerate: ({ orders, id }) => orders.steadfast.accelerate(id),
  resume: ({ orders, id }) => orders.steadfast.resume(id),
  completed: ({ orders, id }) => resolve(orders, id, { evidence: transferRecord().id }),
  noEffect: ({ orders, id }) => resolve(orders, id, { finding: 'noEffect' }),
  retry: ({ orders, id }) =>
    resolve(orders, id, { finding: 'retry', evidence: transferRecord().id }),
};

const givenUp = /^failed: The transfer .* is given up\. Given up: no longer wanted/;
const stopped = /^cancelled: /;

test.concurrent.each([
  ['the service has lost its record', 'cancel', givenUp, 1],
  ['the service has lost its record', 'skip', givenUp, 1],
  ['nobody can read its record', 'cancel', givenUp, 1],
  ['nobody can read its record', 'skip', givenUp, 1],
  ['the service refuses its record', 'cancel', givenUp, 1],
  ['the service refuses its record', 'skip', givenUp, 1],
  ['its record is not what was ordered', 'cancel', givenUp, 1],
  ['its record is not what was ordered', 'skip', givenUp, 1],
  ['the service has two records of it', 'cancel', givenUp, 0],
  ['the service has two records of it', 'skip', givenUp, 0],
  ['the service refuses the API key', 'cancel', stopped, 1],
  ['the service refuses the API key before the order is opened', 'cancel', stopped, 0],
  ['its transaction settles', 'cancel', stopped, 1],
  ['it is paused', 'cancel', stopped, 1],
  ['it is paused', 'resume', /^completed/, 2],
  ['it may have been accepted', 'completed', /^completed/, 2],
  ['it may have been accepted', 'noEffect', /^completed/, 3],
])('where %s, %s alone ends the order', async (state, exit, outcome, attempts) => {
  const placed = await waitIn(state);
  expect(wordsOf(placed.progress)).toContain(exit);
  await acts[exit]?.(placed);
  expect(await placed.end).toMatch(outcome);
  expect(sent(placed.custody)).toBe(attempts);
});

test.concurrent('a table has every exit that these states show', async () => {
  const shown = await Promise.all(
    Object.keys(states).map(async (name) => {
      const { progress, orders, id } = await waitIn(name);
      await orders.client.workflow.getHandle(id).terminate();
      return [name, wordsOf(progress).join(' ')];
    }),
  );
  expect(Object.fromEntries(shown)).toEqual({
    'the service has lost its record': 'completed skip cancel',
    'nobody can read its record': 'completed skip cancel',
    'the service refuses its record': 'completed skip cancel',
    'its record is not what was ordered': 'completed skip cancel',
    'the service has two records of it': 'completed skip cancel',
    'the service refuses the API key': 'cancel',
    'the service refuses the API key before the order is opened': 'cancel',
    'it may have been accepted': 'completed noEffect retry cancel',
    'it is paused': 'resume cancel',
    'its transaction settles': 'accelerate cancel',
  });
});

test.concurrent('cancel of an order that is unknown leads to a state without that exit', async () => {
  const placed = await waitIn('it may have been accepted');
  await acts.cancel?.(placed);
  const isAsked = ({ cancelAsked }: Progress): boolean => cancelAsked === true;
  const progress = await placed.orders.progress(placed.id, isAsked);
  expect(wordsOf(progress)).toEqual(['completed', 'noEffect', 'retry']);
  await acts.noEffect?.(placed);
  expect(await placed.end).toMatch(stopped);
  expect(sent(placed.custody)).toBe(2);
});

test.concurrent('accelerate of a transaction that settles is handed to the service', async () => {
  const placed = await waitIn('its transaction settles');
  expect(await acts.accelerate?.(placed)).toContain('was asked to accelerate');
  expect(placed.custody.calls('accelerateTransaction')).toHaveLength(1);
  await placed.orders.client.workflow.getHandle(placed.id).terminate();
});

test.concurrent('a lost record that is back when its order is cancelled has completed', async () => {
  let isBack = false;
  const getTransaction = () => (isBack ? { transaction: transferRecord() } : gone());
  const orders = await serve(scriptedCustody({ getTransaction }), { lookupGraceMs: graceMs });
  const id = `transfer:${randomUUID()}`;
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  await orders.progress(id, ({ waitingFor }) => waitingFor.includes('does not know it now'));
  isBack = true;
  await orders.steadfast.cancel(id, 'no longer wanted');
  expect((await receipt()).state).toBe('COMPLETE');
});

test.concurrent('a service that is away when an order is cancelled gives no lost record up', async () => {
  let answer = 'lost';
  const away = () => new NoAnswerError('The service does not answer.');
  const custody = scriptedCustody({
    getTransaction: () => {
      if (answer === 'back') return { transaction: transferRecord() };
      return answer === 'away' ? away() : gone();
    },
  });
  const orders = await serve(custody, { lookupGraceMs: graceMs });
  const id = `transfer:${randomUUID()}`;
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  await orders.progress(id, ({ waitingFor }) => waitingFor.includes('does not know it now'));
  answer = 'away';
  const asked = custody.calls('getTransaction').length;
  await orders.steadfast.cancel(id, 'no longer wanted');
  // A read is tried five times.
  while (custody.calls('getTransaction').length < asked + 5)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await orders.progress(id, ({ timeline }) => JSON.stringify(timeline).includes('does not answer'));
  answer = 'back';
  await orders.client.workflow.getHandle(id).signal('wake');
  expect((await receipt()).state).toBe('COMPLETE');
});

test.concurrent.each([
  ['garbled', garbled],
  ['refused', forbidden],
])('a record that was %s completes its order once it can be read', async (_, fault) => {
  let isBack = false;
  const getTransaction = () => (isBack ? { transaction: transferRecord() } : fault());
  const orders = await serve(scriptedCustody({ getTransaction }), { lookupGraceMs: graceMs });
  const id = `transfer:${randomUUID()}`;
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  await orders.progress(id, ({ target }) => target !== undefined);
  isBack = true;
  await orders.client.workflow.getHandle(id).signal('wake');
  expect((await receipt()).state).toBe('COMPLETE');
});

test.concurrent('a key that the service refuses is no contradiction, however long', async () => {
  let isRefused = true;
  const custody = scriptedCustody({
    getTransaction: () => (isRefused ? forbidden() : { transaction: transferRecord() }),
    listTransactions: () =>
      isRefused && custody.calls('createTransfer').length > 0 ? forbidden() : { transactions: [] },
  });
  const orders = await serve(custody, { lookupGraceMs: 500 });
  const id = `transfer:${randomUUID()}`;
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  while (custody.calls('getTransaction').length < 4)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const isHeld = ({ status }: Progress): boolean => status === 'NeedsOperator';
  const { target, waitingFor } = await orders.progress(id, isHeld);
  expect([target, waitingFor]).toEqual([undefined, expect.stringContaining('CUSTODY_API_KEY')]);
  isRefused = false;
  await orders.client.workflow.getHandle(id).signal('wake');
  expect((await receipt()).state).toBe('COMPLETE');
});

test.concurrent('a contradiction that comes back after the cancellation asks again', async () => {
  const differs = transferRecord({ amounts: ['7'] });
  let transaction = differs;
  const custody = scriptedCustody({
    getTransaction: () => ({ transaction }),
    cancelTransaction: () => new RefusedError('too late', { status: 400, code: 155229 }),
  });
  const orders = await serve(custody);
  const id = `transfer:${randomUUID()}`;
  const { receipt } = await orders.steadfast.start('transferStablecoin', id, order);
  const reads = async (next: typeof transaction, status: Progress['status']): Promise<void> => {
    transaction = next;
    await orders.client.workflow.getHandle(id).signal('wake');
    await orders.progress(id, (progress) => progress.status === status);
  };
  await reads(differs, 'NeedsOperator');
  transaction = transferRecord({ state: 'SENT' });
  await orders.steadfast.cancel(id, 'not needed');
  await reads(transaction, 'Settling');
  await reads(differs, 'NeedsOperator');
  transaction = transferRecord();
  await orders.client.workflow.getHandle(id).signal('wake');
  expect(await receipt()).toMatchObject({ state: 'COMPLETE' });
});
