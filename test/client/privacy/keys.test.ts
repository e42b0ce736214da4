import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { buildWorkflows } from '../../../src/worker/worker';
import { runCli } from '../../cli/runCli';
import { createServe, type Orders } from '../../support/orders';
import { newKey, privacyWith } from '../../support/privacy/privateParts';
import { openTill } from '../../support/service/tillCustody';
import { temporalAddress } from '../../support/temporal';

const [old, young] = [newKey('k1'), newKey('k2')];
const serve = createServe();
const till = openTill();
let orders: Orders;
let workflows: { code: string };
beforeAll(async () => {
  workflows = await buildWorkflows({ isPrivate: true });
  orders = await serve(till.custody, { workflows, privacy: privacyWith(old) });
});
beforeEach(() => {
  till.settings.settleMs = 100;
});

const newId = (): string => `transfer:${randomUUID()}`;
const to = '0x523be5c33df156e5104b878dba71445db985ec7d';
const transfer = () => ({
  from: { walletId: till.wallets[0]?.id ?? '' },
  to,
  amount: '2.5',
  token: 'USDC',
});

/** An accepted order that settles when the test says so. */
async function startHeld() {
  till.settings.settleMs = 600_000;
  const started = await orders.steadfast.start('transferStablecoin', newId(), transfer());
  await orders.progress(started.workflowId, ({ status }) => status === 'Settling');
  return started;
}

const taskFailed = temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED;

/** The reason why the worker cannot go on with an order, from its history. The keys decode it. */
async function stopOf(workflowId: string, keys: string[]): Promise<string> {
  const { dataConverter } = privacyWith(...keys);
  const client = new Client({ connection: orders.client.connection, dataConverter });
  const { loadedDataConverter } = client.options;
  for (;;) {
    const { events } = await orders.client.workflow.getHandle(workflowId).fetchHistory();
    const failed = events?.find(({ eventType }) => eventType === taskFailed);
    const failure = failed?.workflowTaskFailedEventAttributes?.failure;
    if (failure) {
      expect(failure.message).toBe('Encoded failure');
      const error = await decodeOptionalFailureToOptionalError(loadedDataConverter, failure);
      return error?.message ?? '';
    }
    await sleep(100);
  }
}

describe('a rotation of keys', () => {
  test('finishes an order that began under the old key with the new one', async () => {
    const { workflowId, receipt } = await startHeld();
    const rotated = privacyWith(young, old);
    await orders.rekey(rotated);
    till.settle();
    await orders.client.workflow.getHandle(workflowId).signal('wake', {});
    await expect(receipt()).rejects.toThrow('encrypted with the key "k2"');
    const { connection } = orders.client;
    const client = new Client({ connection, dataConverter: rotated.dataConverter });
    await expect(client.workflow.getHandle(workflowId).result()).resolves.toMatchObject({
      amount: '2.5',
    });
    await orders.rekey(privacyWith(old));
  });

  test('that removes a key too early stops its orders until the key is back', async () => {
    const { workflowId, receipt } = await startHeld();
    await orders.rekey(privacyWith(young));
    await orders.client.workflow.getHandle(workflowId).signal('wake', {});
    expect(await stopOf(workflowId, [young])).toBe(
      'The payload is encrypted with the key "k1", and STEADFAST_CODEC_KEYS does not have it. ' +
        'Add that key behind the others, and keep it as long as Temporal has what it encrypted.',
    );
    await orders.rekey(privacyWith(old));
    till.settle();
    await expect(receipt()).resolves.toMatchObject({ amount: '2.5' });
  });
});

test('a payload that is moved to another workflow starts nothing there', async () => {
  const { workflowId, receipt } = await orders.steadfast.start(
    ...(['transferStablecoin', newId(), transfer()] as const),
  );
  await receipt();
  const { events } = await orders.client.workflow.getHandle(workflowId).fetchHistory();
  const { input } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  const taken = till.taken.length;
  const other = newId();
  const { workflowService } = orders.client;
  await workflowService.startWorkflowExecution({
    namespace: 'default',
    workflowId: other,
    requestId: randomUUID(),
    workflowType: { name: 'transferStablecoin' },
    taskQueue: { name: orders.taskQueue },
    ...(input ? { input } : {}),
  });
  expect(await stopOf(other, [old])).toBe(
    `The payload belongs to the workflow "${workflowId}", and was moved to "${other}".`,
  );
  expect(till.taken).toHaveLength(taken);
  await orders.client.workflow.getHandle(other).terminate();
});

describe('with private payloads', () => {
  const address = '0x523be5c33df156e5104b878dba71445db985ec7d';
  const telling = /^id: ".+" holds an address or a hash, and an id is never encrypted/;

  test('an id that contains an address or a hash starts nothing', async () => {
    const { steadfast } = orders;
    const id = `transfer:${address}`;
    await expect(steadfast.start('transferStablecoin', id, transfer())).rejects.toThrow(telling);
    await expect(steadfast.plan('transferStablecoin', id, transfer())).rejects.toThrow(telling);
    const payout = { payoutId: 'ab'.repeat(32), wallets: till.wallets.map((one) => one.id) };
    await expect(steadfast.payout(payout)).rejects.toThrow(telling);
    const every = { kind: 'transferStablecoin', cron: '@monthly', period: 'yyyy-MM' } as const;
    const schedule = { ...every, order: transfer() };
    await expect(steadfast.schedules.create(address, schedule)).rejects.toThrow(telling);
    await expect(steadfast.status(id)).rejects.toThrow('Temporal knows no order');
  });

  test('a client without the key is told which key it lacks', async () => {
    const { workflowId, receipt } = await orders.steadfast.start(
      ...(['transferStablecoin', newId(), transfer()] as const),
    );
    await receipt();
    const { connection } = orders.client;
    const { dataConverter } = privacyWith();
    const stranger = new Client({ connection, dataConverter });
    await expect(stranger.workflow.getHandle(workflowId).result()).rejects.toThrow(
      'The payload is encrypted with the key "k1", and STEADFAST_CODEC_KEYS is not set here.',
    );
  });

  test('a list without the key shows every order, and says which one it cannot read', async () => {
    till.settings.fate = () => ({ state: 'FAILED' });
    const { workflowId, receipt } = await orders.steadfast.start(
      ...(['transferStablecoin', newId(), transfer()] as const),
    );
    await expect(receipt()).rejects.toThrow();
    till.settings.fate = () => ({ state: 'COMPLETE' });
    const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: orders.taskQueue };
    let own: string | undefined;
    while (own === undefined) {
      const told = await runCli(['list', '--limit', '1000'], env);
      expect(told).toMatchObject({ code: 0, stderr: '' });
      own = told.stdout.split('\n').find((row) => row.includes(workflowId));
    }
    expect(own).toContain('cannot be read here: The payload is encrypted with the key "k1"');
  });

  test('a list of schedules without the key names the one that it cannot read', async () => {
    const { schedules } = orders.steadfast;
    const id = newId().replace(/\W/g, '-');
    const every = { kind: 'transferStablecoin', cron: '@yearly', period: 'yyyy' } as const;
    await schedules.create(id, { ...every, order: transfer() });
    try {
      const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: orders.taskQueue };
      let own: string | undefined;
      while (own === undefined) {
        const told = await runCli(['schedule', 'list'], env);
        expect(told).toMatchObject({ code: 0, stderr: '' });
        own = told.stdout.split('\n').find((row) => row.includes(id));
      }
      expect(own).toContain('cannot be read here: The payload is encrypted with the key "k1"');
    } finally {
      await schedules.remove(id);
    }
  });

  test('workflows that are bundled for plain payloads do not run, nor the reverse', async () => {
    await expect(serve(till.custody, { privacy: privacyWith(old) })).rejects.toThrow(
      /^STEADFAST_WORKFLOW_BUNDLE: the bundle leaves what failures say in clear, .* --private"/,
    );
    await expect(serve(till.custody, { workflows })).rejects.toThrow(
      /^STEADFAST_WORKFLOW_BUNDLE: the bundle encodes what failures say, .* "npx --no-install steadfast bundle <file>"/,
    );
  });
});
