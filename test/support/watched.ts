import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { openNode } from '../../src/books/chain/node';
import { spanWhenOver } from '../../src/books/chain/period';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { startClose } from '../../src/client/temporal/startClose';
import { freePorts } from '../../src/local/freePorts';
import { startWorker } from '../../src/local/startWorker';
import { periodOfDay, readCloseDay } from '../../src/orders/schedule/dailyClose';
import type { TracesConfig } from '../../src/telemetry/config';
import { startTestSandbox, type TestSandbox } from './sandbox';
import { someone } from './stages';
import { temporalAddress, workflowBundle } from './temporal';

/** A worker in a process of its own that serves metrics, and a sandbox for its orders. */
export type Watched = {
  sandbox: TestSandbox;
  client: Client;
  steadfast: Steadfast;
  taskQueue: string;
  /** The address of the metrics, in the form of a Prometheus target. */
  target: string;
  /** Every line that the worker printed. */
  lines: string[];
  /** The current metrics. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
};

export async function startWatched(
  workerEnv: Record<string, string> = {},
  traces?: TracesConfig,
): Promise<Watched> {
  const sandbox = await startTestSandbox({ traces });
  const [port = 0] = await freePorts([0]);
  const target = `127.0.0.1:${port}`;
  const taskQueue = `watched-${process.pid}-${Date.now()}`;
  const lines: string[] = [];
  const worker = await startWorker({
    onLine: (line) => lines.push(line),
    env: {
      CUSTODY_BASE_URL: sandbox.baseUrl,
      CUSTODY_API_KEY: sandbox.secrets.apiKey,
      CUSTODY_ENTITY_SECRET: sandbox.secrets.entitySecret,
      CUSTODY_LOOKUP_GRACE_SECONDS: '0',
      CHAIN_RPC_URL: sandbox.rpcUrl,
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: taskQueue,
      STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
      STEADFAST_WRITES_PER_SECOND: 'off',
      STEADFAST_READS_PER_SECOND: 'off',
      STEADFAST_METRICS_ADDRESS: target,
      ...workerEnv,
    },
  });
  const connection = await Connection.connect({ address: temporalAddress() });
  const client = new Client({ connection });
  return {
    sandbox,
    client,
    taskQueue,
    target,
    lines,
    steadfast: createSteadfast({ client, taskQueue }),
    metrics: async () => (await fetch(`http://${target}/metrics`)).text(),
    stop: async () => {
      await connection.close();
      await worker.stop();
      await sandbox.stop();
    },
  };
}

/** Starts an order of one USDC from a new wallet. Fault plans can name that wallet. */
export async function startTransfer(
  { sandbox, steadfast }: Watched,
  fault: Record<string, unknown> = {},
  amount = '1',
) {
  const wallet = await sandbox.fundedWallet('EOA');
  if (Object.keys(fault).length > 0) rules.push({ ...fault, walletId: wallet.id });
  await plan(sandbox);
  return steadfast.start('transferStablecoin', `transfer:${randomUUID()}`, {
    from: { walletId: wallet.id },
    to: someone(),
    amount,
    token: 'USDC',
  });
}

const rules: Record<string, unknown>[] = [];

/** Replaces the fault plan. The new plan holds all rules. */
async function plan({ request, origin }: TestSandbox): Promise<void> {
  const body = { seed: 1, rules };
  const answer = await request('POST', `${origin}/_sandbox/faults`, { headers: {}, body });
  if (answer.status >= 300) throw new Error(`The faults: ${JSON.stringify(answer.body)}`);
}

const post = { method: 'POST', path: '/developer/transactions/*' };

/**
 * Runs orders with every end that metrics show: completed, refused, failed, cancelled, unknown, in
 * need of an operator, rate limited, and a payout. The last two stay open.
 */
export async function runLoad(watched: Watched): Promise<void> {
  const { sandbox, steadfast } = watched;
  const ended = [
    ...(await Promise.all([startTransfer(watched), startTransfer(watched)])),
    await startTransfer(watched, {}, '1000'),
    await startTransfer(watched, { kind: 'failOnChain' }),
  ];
  const busy = await startTransfer(watched, { ...post, kind: 'status', status: 429 });
  const lost = await startTransfer(watched, { ...post, kind: 'loseRequest' });
  const locked = await startTransfer(watched, { ...post, kind: 'status', status: 401 });
  const payer = await sandbox.fundedWallet('EOA');
  const payoutId = randomUUID();
  const payout = await steadfast.start('payout', `payout:${payoutId}`, {
    payoutId,
    wallets: [payer.id],
    lines: ['1', '2'].map((lineId) => ({ lineId, to: someone(), amount: '0.5', token: 'USDC' })),
  });
  await closeFirstDay(watched);
  await waitFor(steadfast, busy.workflowId, /429/);
  await steadfast.cancel(busy.workflowId, 'enough of it');
  await waitFor(steadfast, lost.workflowId, /no answer came/);
  await steadfast.cancel(lost.workflowId, 'enough of it');
  await waitFor(steadfast, lost.workflowId, /"Unknown"/);
  await waitFor(steadfast, locked.workflowId, /"NeedsOperator"/);
  await Promise.allSettled([...ended, busy, payout].map((order) => order.receipt()));
}

/** Closes the day on which the chain begins. */
async function closeFirstDay({ sandbox, client, taskQueue }: Watched): Promise<void> {
  const day = readCloseDay({ day: '2026-01-01' });
  const { closing } = await spanWhenOver(openNode(sandbox.rpcUrl), periodOfDay(day));
  const asked = { ...day, closing };
  const begin = `${randomUUID()}:close:${day.day}`;
  const { workflowId } = await startClose(client, { asked, taskQueue, begin, attributes: {} });
  await client.workflow.getHandle(workflowId).result();
}

/** Waits until the progress of an order matches. */
export async function waitFor(steadfast: Steadfast, id: string, words: RegExp): Promise<void> {
  for (let look = 0; look < 1_000; look++) {
    const said = JSON.stringify(await steadfast.status(id));
    if (words.test(said)) return;
    await sleep(100);
  }
  throw new Error(`${id} does not match ${words}: ${JSON.stringify(await steadfast.status(id))}`);
}
