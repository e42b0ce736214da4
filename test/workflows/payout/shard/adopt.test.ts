import { setTimeout as sleep } from 'node:timers/promises';
import type { Order, PayoutLine } from '../../../../src/client/client';
import { createServe, type Orders } from '../../../support/orders';
import {
  linesOf,
  newLines,
  paidByResults,
  paidOnChain,
  payers,
  payoutOf,
} from '../../../support/payouts';
import { inSandbox } from '../../../support/sandbox';
import { resetTo } from '../../../support/traps/reset';

const sandbox = inSandbox();
const serve = createServe();

const batch = { linesMax: 10 };

/** Pays it again. Returns the number of logs of each line. */
async function paidAgain(order: Order<'payout'>, lines: readonly PayoutLine[], by: Orders) {
  const started = await by.steadfast.payout(order, lines);
  const receipt = await started.receipt();
  const results = await linesOf(by, started.workflowId);
  const paid = await paidOnChain(sandbox, lines);
  expect(paid).toEqual(paidByResults(results));
  return { receipt, results, logs: Object.values(paid).map((hashes) => hashes.length) };
}

test('a batch that an ended run has not sent is halved like any other', async () => {
  const { client, baseUrl, rpcUrl: chainRpcUrl } = sandbox;
  const patient = await serve(client, { baseUrl, chainRpcUrl, lookupGraceMs: 5_000 });
  const lines = newLines(12);
  // The next batch is due after 80 s, so none is on its way when the run ends.
  const slowly = { batch: { linesMax: 4 }, linesPerS: 0.05 };
  const order = payoutOf(await payers(sandbox, 'EOA'), slowly);
  const { workflowId } = await patient.steadfast.payout(order, lines);
  const sent = async () => Object.values(await paidOnChain(sandbox, lines)).flat().length;
  while ((await sent()) === 0) await sleep(20);
  for (const id of [`${workflowId}:shard:1`, workflowId]) {
    await patient.client.workflow.getHandle(id).terminate('a test');
  }
  const blocked = `${sandbox.origin}/_sandbox/blocklist/${lines[11]?.to}`;
  expect((await sandbox.request('PUT', blocked, { headers: {} })).status).toBe(200);
  const { receipt, logs } = await paidAgain({ ...order, linesPerS: 1_000 }, lines, patient);
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
