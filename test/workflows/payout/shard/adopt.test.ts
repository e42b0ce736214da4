import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, PayoutLine } from '../../../../src/client/client';
import { type LocalTemporal, startTemporal } from '../../../../src/stack/startTemporal';
import { createServe, type Orders } from '../../../support/orders';
import {
  linesOf,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../../support/payouts';
import { startTestSandbox, type TestSandbox } from '../../../support/sandbox';
import { someone } from '../../../support/stages';
import { resetTo } from '../../../support/traps/reset';

/** A server that has never heard of the payouts, as after the retention of the first one. */
let other: LocalTemporal;
let sandbox: TestSandbox;
let first: Orders;
let later: Orders;
const serve = createServe();
beforeAll(async () => {
  [sandbox, other] = await Promise.all([
    startTestSandbox(),
    startTemporal({ headless: true, port: 0 }),
  ]);
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  first = await serve(client, { baseUrl, chainRpcUrl });
  later = await serve(client, { baseUrl, chainRpcUrl, address: other.address });
});
afterAll(async () => {
  await sandbox.stop();
  await other.stop();
});

const batch = { linesMax: 10 };

/** A payout of 23 lines in batches that was paid whole, a month ago. */
async function paidBefore(types: ('EOA' | 'SCA')[]) {
  const lines = newLines(23);
  const order = payoutOf(await payers(sandbox, ...types), { batch });
  const started = await first.steadfast.payout(order, lines);
  expect(await started.receipt()).toMatchObject({ lines: 23, paid: 23 });
  return { lines, order };
}

/** Pays by a Temporal that knows nothing of it. Returns the number of logs of each line. */
async function paidAgain(order: Order<'payout'>, lines: readonly PayoutLine[], by = later) {
  const started = await by.steadfast.payout(order, lines);
  const receipt = await started.receipt();
  const results = await linesOf(by, started.workflowId);
  const paid = await paidOnChain(sandbox, lines);
  expect(paid).toEqual(paidByResults(results));
  return { receipt, results, logs: Object.values(paid).map((hashes) => hashes.length) };
}

describe.each(['EOA', 'SCA'] as const)('batches of type %s that Temporal has forgotten', (type) => {
  test.each<[string, Partial<Order<'payout'>>]>([
    ['the same', {}],
    ['with another size', { batch: { linesMax: 7 } }],
    ['without batches', { batch: false }],
  ])('are not paid again: %s, with 50 lines more, sorted otherwise', async (_, change) => {
    const { lines, order } = await paidBefore([type]);
    const more = [...newLines(50), ...lines].sort((one, another) => (one.to < another.to ? -1 : 1));
    const { receipt, logs } = await paidAgain({ ...order, ...change }, more);
    expect(receipt).toMatchObject({ lines: 73, paid: 73, failed: 0, unknown: 0 });
    expect(logs).toEqual(more.map(() => 1));
  });
});

test('a line whose recipient was corrected since is not paid again, and a person is asked', async () => {
  const { lines, order } = await paidBefore(['EOA']);
  const [wrong, ...others] = lines;
  if (wrong === undefined) throw new Error('There is no line.');
  const corrected = { ...wrong, to: someone() };
  const started = await later.steadfast.payout(order, [corrected, ...others]);
  const { workflowId } = started;
  const { progress } = await later
    .progress(workflowId, ({ status }) => status === 'Unknown')
    .then((progress) => ({ progress }));
  expect(progress.waitingFor).toContain(`line/${wrong.lineId}#0`);
  expect(JSON.stringify(progress)).toContain('ordered was');
  expect(await paidOnChain(sandbox, lines)).toMatchObject({ [wrong.lineId]: [expect.any(String)] });
  await later.client.workflow.getHandle(workflowId).terminate('a test');
});

test('a batch that an ended run has not sent is halved like any other', async () => {
  const lines = newLines(12);
  const slowly = { batch: { linesMax: 4 }, linesPerS: 2 };
  const order = payoutOf(await payers(sandbox, 'EOA'), slowly);
  const { workflowId } = await first.steadfast.payout(order, lines);
  const sent = async () => Object.values(await paidOnChain(sandbox, lines)).flat().length;
  while ((await sent()) === 0) await sleep(20);
  for (const id of [`${workflowId}:shard:1`, workflowId]) {
    await first.client.workflow.getHandle(id).terminate('a test');
  }
  const blocked = `${sandbox.origin}/_sandbox/blocklist/${lines[11]?.to}`;
  expect((await sandbox.request('PUT', blocked, { headers: {} })).status).toBe(200);
  const { receipt, logs } = await paidAgain({ ...order, linesPerS: 1_000 }, lines, first);
  expect(receipt).toMatchObject({ lines: 12, paid: 11, failed: 1, unknown: 0 });
  expect(logs).toEqual(lines.map((_, at) => (at === 11 ? 0 : 1)));
});

test.each([1, 2, 3])(
  'batches of a part that is reset to its task %d pay each line once',
  async (task) => {
    const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
    const patient = await serve(client, { baseUrl, chainRpcUrl, lookupGraceMs: 5_000 });
    const lines = newLines(12);
    const order = payoutOf(await payers(sandbox, 'EOA'), { batch: { linesMax: 4 }, linesPerS: 2 });
    const started = await patient.steadfast.payout(order, lines);
    const sent = async () => Object.values(await paidOnChain(sandbox, lines)).flat().length;
    while ((await sent()) === 0) await sleep(20);
    const id = `${started.workflowId}:shard:1`;
    const { events } = await patient.client.workflow.getHandle(id).fetchHistory();
    const tasks = (events ?? []).flatMap((event) =>
      event.workflowTaskCompletedEventAttributes ? Number(event.eventId) : [],
    );
    const { runId } = await patient.client.workflow.getHandle(id).describe();
    await resetTo(patient, { id, runId }, { boundary: tasks[task - 1] ?? 0, reapply: true });
    expect(await started.receipt()).toMatchObject({ lines: 12, paid: 12, unknown: 0 });
    const paid = await paidOnChain(sandbox, lines);
    expect(paid).toEqual(paidByResults(await linesOf(patient, started.workflowId)));
    expect(Object.values(paid).map((hashes) => hashes.length)).toEqual(lines.map(() => 1));
  },
);

function noneOf(lines: readonly PayoutLine[]): Record<string, string[]> {
  return Object.fromEntries(lines.map(({ lineId }) => [lineId, []]));
}

describe('batches that are sent while everything goes wrong', () => {
  let patient: Orders;
  beforeAll(async () => {
    const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
    patient = await serve(client, { baseUrl, chainRpcUrl, lookupGraceMs: 8_000 });
  });
  afterEach(() => plan([]));

  /** Sets the faults of the service from now on. */
  async function plan(rules: readonly object[]): Promise<void> {
    const url = `${sandbox.origin}/_sandbox/faults`;
    const given = { headers: {}, body: { seed: 7, rules } };
    expect((await sandbox.request('POST', url, given)).status).toBe(200);
  }

  test.each(['EOA', 'SCA'] as const)(
    'of type %s pay each line once when answers and requests are lost or late',
    async (type) => {
      const lines = newLines(24);
      const order = payoutOf(await payers(sandbox, type), { batch: { linesMax: 4 } });
      await plan([
        { kind: 'loseAnswer', method: 'POST', probability: 0.2 },
        { kind: 'loseRequest', method: 'POST', probability: 0.1 },
        { kind: 'lateCommit', method: 'POST', delayMs: 1_500, probability: 0.2 },
        { kind: 'denied', count: 1 },
      ]);
      const { receipt, logs } = await paidAgain(order, lines, patient);
      expect(receipt).toMatchObject({ lines: 24, paid: 24 });
      expect(logs).toEqual(lines.map(() => 1));
    },
  );

  test('pay each line once when the payout ends before a late request, and starts again in other batches', async () => {
    const lines = newLines(24);
    const order = payoutOf(await payers(sandbox, 'EOA'), { batch });
    const path = '/developer/transactions/contractExecution';
    const lateMs = 4_000;
    await plan([{ kind: 'lateCommit', path, delayMs: lateMs }]);
    const { workflowId } = await patient.steadfast.payout(order, lines);
    const sending = async () =>
      (await linesOf(patient, workflowId)).some((line) => line.batch && !line.isUnsent);
    while (!(await sending().catch(() => false))) await sleep(50);
    for (const id of [`${workflowId}:shard:1`, workflowId]) {
      await patient.client.workflow.getHandle(id).terminate('a test');
    }
    expect(await paidOnChain(sandbox, lines)).toEqual(noneOf(lines));
    await plan([]);
    const change = { batch: { linesMax: 7 } };
    const { receipt, logs } = await paidAgain({ ...order, ...change }, lines, patient);
    expect(receipt).toMatchObject({ lines: 24, paid: 24 });
    expect(logs).toEqual(lines.map(() => 1));
    await sleep(lateMs);
    const after = await paidOnChain(sandbox, lines);
    expect(Object.values(after).flat()).toHaveLength(lines.length);
  });
});
