import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import { type MortalStack, startMortalStack } from '../../proof/kill/processes';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import { toBaseUnits } from '../../src/custody/objects/amount';
import { bundleChanged } from '../support/histories/changedWorkflows';
import { newFolder, stopLater } from '../support/jest/setUp';
import { times } from '../support/lane';
import { payers } from '../support/payouts';
import { tokenTransfers } from '../support/sandbox';
import { neverMs, someone } from '../support/stages';
import { workflowBundle } from '../support/temporal';

const transfers = times({ short: 40, all: 200 });
const deploymentName = 'payments';
/** Temporal gives up the call of a lost worker after 12 s, and its workflow task after 10 s. */
const patienceMsMax = 12_000;
const folder = newFolder();
const ended: string[] = [];

/** An extra activity for new orders, as a new build may have one. */
const imported = "import { CancellationScope, upsertMemo } from '@temporalio/workflow';";
const made = 'const receipt = await process(live);';
const asksMore = "if (patched('longer')) await longReads('a moment').holdFor({ ms: 1 });";
const changes = [
  {
    file: 'order/runOrder.ts',
    from: imported,
    to: `import { patched } from '@temporalio/workflow';\n${imported}`,
  },
  {
    file: 'order/runOrder.ts',
    from: made,
    to: `${asksMore} ${made}`,
  },
];

function buildOf(buildId: string, codePath: string): Record<string, string> {
  return {
    STEADFAST_DEPLOYMENT: deploymentName,
    STEADFAST_BUILD_ID: buildId,
    STEADFAST_VERSIONING: 'auto-upgrade',
    STEADFAST_WORKFLOW_BUNDLE: codePath,
  };
}

let stack: MortalStack;
let connection: Connection;
let client: Client;
let steadfast: Steadfast;
beforeAll(async () => {
  stack = await startMortalStack({
    folder,
    sandboxEnv: { SANDBOX_SETTLE_MS: '300', SANDBOX_RATE_LIMIT: 'off' },
    workerEnv: buildOf('1', workflowBundle().codePath),
    onEnd: (name, lines) => ended.push([name, ...lines.slice(-3)].join(' | ')),
  });
  stopLater(() => stack.stop());
  connection = await Connection.connect({ address: stack.temporalAddress });
  stopLater(() => connection.close());
  client = new Client({ connection });
  steadfast = createSteadfast({ client, taskQueue: stack.taskQueue });
});

/** Sends all orders to this build from now on. Temporal must know the build first. */
async function makeCurrent(buildId: string): Promise<void> {
  const version = { namespace: 'default', deploymentName, buildId, identity: 'operator' };
  for (let tries = 1; ; tries += 1) {
    try {
      await client.workflowService.setWorkerDeploymentCurrentVersion(version);
      return;
    } catch (error) {
      if (tries === 1_000) throw error;
      await sleep(100);
    }
  }
}

/** The longest time that Temporal waits for a lost worker, by an order's history. */
async function longestPatienceMs(id: string): Promise<number> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const waits = (events ?? []).flatMap((event) => {
    const call = event.activityTaskScheduledEventAttributes;
    const decision = event.workflowTaskScheduledEventAttributes;
    const given = [
      call?.startToCloseTimeout,
      call?.heartbeatTimeout,
      decision?.startToCloseTimeout,
    ];
    const limits = given.map((limit) => (limit ? tsToMs(limit) : 0)).filter((ms) => ms > 0);
    return call || decision ? [Math.min(...limits)] : [];
  });
  return Math.max(...waits);
}

/** The builds that handled an order's workflow tasks. */
async function buildsOf(id: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const builds = (events ?? []).flatMap(
    ({ workflowTaskCompletedEventAttributes: task }) => task?.deploymentVersion?.buildId ?? [],
  );
  return [...new Set(builds)];
}

/** Changes the settling time of all transfers, accepted ones included. */
async function settleAfter(settleMs: number): Promise<void> {
  const answer = await fetch(`${stack.controlUrl}/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settleMs }),
  });
  expect(answer.status).toBe(200);
}

/** The number of transfers that the service has accepted. */
async function countAccepted(): Promise<number> {
  const answer = await fetch(`${stack.controlUrl}/calls`);
  const { calls }: { calls: { path: string; status: number }[] } = JSON.parse(await answer.text());
  return calls.filter(({ path, status }) => status === 201 && path.endsWith('/transfer')).length;
}

it(`${transfers} transfers are made once each through the kill of a worker and a new build`, async () => {
  const second = stack.addWorker();
  await second.start();
  await makeCurrent('1');
  const fresh = join(folder, 'fresh.js');
  const bundling = bundleChanged(changes).then(({ code }) => writeFileSync(fresh, code));
  const wallets = await payers({ client: createCustodyClient(stack) }, ...Array(8).fill('EOA'));
  await bundling;
  const orders = Array.from({ length: transfers }, (_, at) => ({
    id: `transfer:rollout-${at}`,
    to: someone(),
    amount: `0.${String(10_000 + at).padStart(6, '0')}`,
    from: { walletId: wallets[at % wallets.length]?.id ?? '' },
  }));
  const pay = async ({ id, ...order }: (typeof orders)[number]) => {
    const begun = await steadfast.start('transferStablecoin', id, { ...order, token: 'USDC' });
    return begun.receipt();
  };
  const early = await Promise.all(orders.slice(0, transfers / 10).map(pay));

  // Nothing settles now, so these orders end when the new build is alone.
  await settleAfter(neverMs);
  const late = Promise.all(orders.slice(transfers / 10).map(pay));
  // A failure of this promise is handled below. Until then it must not end the test.
  late.catch(() => {});
  const third = stack.addWorker(buildOf('2', fresh)).start();
  while ((await countAccepted()) < transfers / 2) await sleep(50);
  await stack.worker.kill();
  await third;
  await makeCurrent('2');
  await second.stop(30_000);
  const amounts = new Set(orders.map(({ amount }) => toBaseUnits(amount, 6)));
  const logsThen = await tokenTransfers(stack.rpcUrl, {});
  const paidThen = logsThen.filter(({ value }) => amounts.has(value)).length;
  await settleAfter(0);
  const receipts = [...early, ...(await late)];

  const logs = await tokenTransfers(stack.rpcUrl, {});
  for (const [at, { to, amount }] of orders.entries()) {
    const own = logs.filter(({ value }) => value === toBaseUnits(amount, 6));
    expect(own.map((log) => log.to)).toEqual([to.toLowerCase()]);
    expect(own.map((log) => log.transactionHash)).toEqual([receipts[at]?.txHash]);
  }
  const patience = await Promise.all(orders.map(({ id }) => longestPatienceMs(id)));
  const builds = await Promise.all(orders.map(({ id }) => buildsOf(id)));
  const upgraded = builds.filter((of) => of.includes('1') && of.includes('2')).length;
  process.stdout.write(
    `\n${transfers} transfers, ${paidThen} of them before the new build was alone, ` +
      `${upgraded} begun by the old build and ended by the new.\n\n`,
  );
  expect(paidThen).toBe(transfers / 10);
  expect(upgraded).toBeGreaterThan(0);
  expect(Math.max(...patience)).toBeLessThanOrEqual(patienceMsMax);
  expect(ended).toEqual([]);
});
