import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { toBaseUnits } from '../../src/custody/objects/amount';
import type { Wallet } from '../../src/custody/objects/wallet';
import type { Child } from '../../src/local/childProcess';
import { startWorker } from '../../src/local/startWorker';
import { stopLater } from '../support/jest/setUp';
import { payers } from '../support/payouts';
import { inSandbox } from '../support/sandbox';
import { someone } from '../support/stages';
import { temporalAddress, workflowBundle } from '../support/temporal';

const taskQueue = `roles-${process.pid}-${Date.now()}`;
const workers: Child[] = [];
const sandbox = inSandbox();
let connection: Connection;
let steadfast: Steadfast;
let wallet: Wallet | undefined;
let writing: Child;

async function startRole(role: string, env: Record<string, string>): Promise<Child> {
  const worker = await startWorker({
    env: {
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: taskQueue,
      STEADFAST_WRITES_PER_SECOND: 'off',
      STEADFAST_READS_PER_SECOND: 'off',
      STEADFAST_ROLES: role,
      ...env,
    },
  });
  workers.push(worker);
  return worker;
}

const startWriting = (): Promise<Child> => {
  const { secrets, baseUrl } = sandbox;
  return startRole('writes', {
    CUSTODY_BASE_URL: baseUrl,
    CUSTODY_API_KEY: secrets.apiKey,
    CUSTODY_ENTITY_SECRET: secrets.entitySecret,
  });
};

beforeAll(async () => {
  [wallet] = await payers(sandbox, 'EOA');
  const { secrets, baseUrl } = sandbox;
  const reading = { CUSTODY_BASE_URL: baseUrl, CUSTODY_API_KEY: secrets.apiKey };
  [, , writing] = await Promise.all([
    startRole('workflows', { STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath }),
    startRole('reads', reading),
    startWriting(),
  ]);
  connection = await Connection.connect({ address: temporalAddress() });
  stopLater(() => connection.close());
  steadfast = createSteadfast({ client: new Client({ connection }), taskQueue });
  stopLater(() => Promise.all(workers.map((worker) => worker.stop())));
});

function orderOf(amount: string) {
  return { from: { walletId: wallet?.id ?? '' }, to: someone(), amount, token: 'USDC' };
}

/** The number of transfers that the sandbox was asked for. */
async function transfersAsked(): Promise<number> {
  const answer = await fetch(`${sandbox.origin}/_sandbox/calls?after=0`);
  const { calls } = (await answer.json()) as { calls: { method: string; path: string }[] };
  const isTransfer = ({ method, path }: (typeof calls)[number]) =>
    method === 'POST' && path.endsWith('/transactions/transfer');
  return calls.filter(isTransfer).length;
}

/** Tells if a worker has the transfer of an order now. */
async function isSending(handle: WorkflowHandle): Promise<boolean> {
  const { raw } = await handle.describe();
  return (raw.pendingActivities ?? []).some(
    ({ activityType, lastStartedTime }) =>
      activityType?.name === 'createTransfer' && lastStartedTime != null,
  );
}

test('workers of one role each, with only its secrets, run an order together', async () => {
  const paid = await steadfast.execute('transferStablecoin', 'transfer:roles', orderOf('0.25'));
  expect(paid).toMatchObject({ state: 'COMPLETE', amount: '0.25' });
});

test('a worker that is stopped finishes its current write, which is not sent twice', async () => {
  const askedBefore = await transfersAsked();
  const rule = { kind: 'delay', method: 'POST', path: '/developer/transactions/transfer' };
  await fetch(`${sandbox.origin}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules: [{ ...rule, delayMs: 8_000, count: 1 }] }),
  });
  const order = orderOf('0.26');
  const started = await steadfast.start('transferStablecoin', 'transfer:drained', order);
  const handle = new Client({ connection }).workflow.getHandle(started.workflowId);
  while (!(await isSending(handle))) await sleep(50);
  const next = startWriting();
  await writing.stop(20_000);
  expect(writing.lastLines().join('\n')).toContain('accepts no new tasks');
  await next;
  expect(await started.receipt()).toMatchObject({ state: 'COMPLETE' });
  expect(await transfersAsked()).toBe(askedBefore + 1);
  const logs = await sandbox.transfers({ to: order.to });
  expect(logs.map(({ value }) => value)).toEqual([toBaseUnits('0.26', 6)]);
  const { events } = await handle.fetchHistory();
  const lost = (events ?? []).filter(
    (event) => event.activityTaskTimedOutEventAttributes ?? event.activityTaskFailedEventAttributes,
  );
  expect(lost).toEqual([]);
});
