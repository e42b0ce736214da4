import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time';
import { type MortalStack, startMortalStack } from '../../crash/processes';
import { createSteadfast, type Steadfast } from '../../src/client';
import { toBaseUnits } from '../../src/custody/amount';
import { createCustodyClient } from '../../src/custody/client';
import { bundleChanged } from '../support/histories/changedWorkflows';
import { payers } from '../support/payouts';
import { tokenTransfers } from '../support/sandbox';
import { someone } from '../support/stages';
import { workflowBundle } from '../support/temporal';

const transfers = 200;
const deploymentName = 'payments';
/**
 * A call whose worker is lost is given up after 12 s and a decision after 10 s, and may then have
 * to wait for its turn on a busy machine.
 */
const waitMsMax = 12_000 + 10_000 + 10_000;
const folder = mkdtempSync(join(tmpdir(), 'steadfast-rollout-'));
const ended: string[] = [];

/** One more activity for new orders, as a new build may have it. */
const imported = 'import {\n  ApplicationFailure,';
const made = 'const receipt = await process(run);';
const asksMore = "if (patched('longer')) await longReads('a moment').holdFor({ ms: 1 });";
const changes = [
  {
    file: 'runOrder.ts',
    from: imported,
    to: `import { patched } from '@temporalio/workflow';\n${imported}`,
  },
  {
    file: 'runOrder.ts',
    from: made,
    to: `${asksMore} ${made}`,
  },
];

function buildOf(buildId: string, codePath: string): Record<string, string> {
  return {
    ...{ STEADFAST_DEPLOYMENT: deploymentName, STEADFAST_BUILD_ID: buildId },
    ...{ STEADFAST_VERSIONING: 'auto-upgrade', STEADFAST_WORKFLOW_BUNDLE: codePath },
  };
}

let stack: MortalStack;
let connection: Connection;
let client: Client;
let steadfast: Steadfast;
beforeAll(async () => {
  stack = await startMortalStack({
    folder,
    sandboxEnv: { SANDBOX_SETTLE_MS: '4000', SANDBOX_RATE_LIMIT: 'off' },
    workerEnv: buildOf('1', workflowBundle().codePath),
    onEnd: (name, lines) => ended.push([name, ...lines.slice(-3)].join(' | ')),
  });
  connection = await Connection.connect({ address: stack.temporalAddress });
  client = new Client({ connection });
  steadfast = createSteadfast({ client, taskQueue: stack.taskQueue });
}, 180_000);
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Orders go to this build from now on; Temporal has to have heard of it first. */
async function makeCurrent(buildId: string): Promise<void> {
  const version = { namespace: 'default', deploymentName, buildId, identity: 'operator' };
  for (let tries = 1; ; tries += 1) {
    try {
      await client.workflowService.setWorkerDeploymentCurrentVersion(version);
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}

/** The longest time, without timers, in which nothing was written to the history of an order. */
async function longestWaitMs(id: string): Promise<number> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const times = (events ?? []).map(({ eventTime, timerFiredEventAttributes: timer }) => ({
    ...{ atMs: eventTime ? tsToMs(eventTime) : 0, isTimer: timer != null },
  }));
  const waits = times.slice(1).map(({ atMs, isTimer }, at) => {
    return isTimer ? 0 : atMs - (times[at]?.atMs ?? atMs);
  });
  return Math.max(...waits);
}

/** The builds that have decided for an order. */
async function buildsOf(id: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const builds = (events ?? []).flatMap(
    ({ workflowTaskCompletedEventAttributes: task }) => task?.deploymentVersion?.buildId ?? [],
  );
  return [...new Set(builds)];
}

it('200 transfers are made once each, with a worker killed and the other replaced by a new build', async () => {
  const second = stack.addWorker();
  await second.start();
  await makeCurrent('1');
  const fresh = join(folder, 'fresh.js');
  const bundling = bundleChanged(changes).then(({ code }) => writeFileSync(fresh, code));
  const wallets = await payers({ client: createCustodyClient(stack) }, ...Array(8).fill('EOA'));
  await bundling;
  const orders = Array.from({ length: transfers }, (_, at) => ({
    id: `transfer:rollout-${at}`,
    ...{ to: someone(), amount: `0.${String(10_000 + at).padStart(6, '0')}` },
    from: { walletId: wallets[at % wallets.length]?.id ?? '' },
  }));
  const startedMs = Date.now();
  const started = orders.map(async ({ id, ...order }) => {
    const begun = await steadfast.start('transferStablecoin', id, { ...order, token: 'USDC' });
    return begun.receipt();
  });
  const whole = Promise.all(started);
  // It may fail while something else is waited for; it is heard of below.
  whole.catch(() => {});
  const paid = async () => (await tokenTransfers(stack.rpcUrl, {})).length - wallets.length;

  const third = stack.addWorker(buildOf('2', fresh)).start();
  while ((await paid()) < transfers / 10) await sleep(50);
  await stack.worker.kill();
  await third;
  await makeCurrent('2');
  const stopAtMs = Date.now();
  await second.stop(30_000);
  const drainMs = Date.now() - stopAtMs;
  const paidThen = await paid();
  const receipts = await whole;
  const seconds = (Date.now() - startedMs) / 1_000;

  const logs = await tokenTransfers(stack.rpcUrl, {});
  for (const [at, { to, amount }] of orders.entries()) {
    const own = logs.filter(({ value }) => value === toBaseUnits(amount, 6));
    expect(own.map((log) => log.to)).toEqual([to.toLowerCase()]);
    expect(own.map((log) => log.transactionHash)).toEqual([receipts[at]?.txHash]);
  }
  const waits = await Promise.all(orders.map(({ id }) => longestWaitMs(id)));
  const builds = await Promise.all(orders.map(({ id }) => buildsOf(id)));
  const upgraded = builds.filter((of) => of.includes('1') && of.includes('2')).length;
  process.stdout.write(
    `\n${transfers} transfers in ${seconds.toFixed(0)} s, ${paidThen} of them before the new build ` +
      `was alone; ${upgraded} begun by the old build and ended by the new; the old worker took ` +
      `${drainMs} ms to end; longest wait ${Math.max(...waits)} ms\n\n`,
  );
  expect(paidThen).toBeLessThan(transfers);
  expect(upgraded).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThan(waitMsMax);
  expect(ended).toEqual([]);
}, 180_000);
