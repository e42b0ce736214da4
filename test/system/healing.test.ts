import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { createPublicClient, http, type PublicClient } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { type MortalStack, startMortalStack } from '../../proof/kill/processes';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import { createCustodyClient } from '../../src/custody/client';
import { type CustodyApi, endpoints } from '../../src/custody/endpoints';
import { isEnd, type Progress } from '../../src/orders/progress/status';
import { newFolder, stopLater } from '../support/jest/setUp';
import { type Orders, runOrders } from '../support/orders';
import { createFundedWallet } from '../support/sandbox';
import { type Outage, startOutage } from '../support/service/outage';
import { countDeployments, countTransfers } from '../support/stack';
import { workflowBundle } from '../support/temporal';

const otherKey = 'TEST_API_KEY:another-id:another-secret';
const otherSecret = 'c0ffee5eed'.repeat(7).slice(0, 64);

const folder = newFolder();
let stack: MortalStack;
let client: Client;
let steadfast: Steadfast;
let chain: PublicClient;
// Each start of the sandbox reads these variables.
const sandboxEnv: Record<string, string> = {};
const workerEnv: Record<string, string> = {
  STEADFAST_WORKFLOW_BUNDLE: workflowBundle().codePath,
};

beforeAll(async () => {
  Object.assign(sandboxEnv, { SANDBOX_SETTLE_MS: '300', SANDBOX_RATE_LIMIT: 'off' });
  stack = await startMortalStack({ folder, sandboxEnv, workerEnv });
  stopLater(() => stack.stop());
  const connection = await Connection.connect({ address: stack.temporalAddress });
  client = new Client({ connection });
  steadfast = createSteadfast({ client, taskQueue: stack.taskQueue });
  chain = createPublicClient({ transport: http(stack.rpcUrl) });
  stopLater(() => client.connection.close());
});

const newAddress = (): `0x${string}` => privateKeyToAddress(generatePrivateKey());

/** Stops a process and starts it with other variables, as somebody who changes a key does. */
async function restart(
  part: MortalStack['worker'],
  env: Record<string, string>,
  changes: Record<string, string>,
): Promise<void> {
  await part.kill();
  Object.assign(env, changes);
  await part.start();
}

/** Waits until an order's reason for waiting matches, and returns its progress. */
async function waitsFor(id: string, words: RegExp): Promise<Progress> {
  for (;;) {
    const handle = client.workflow.getHandle(id);
    const progress = await handle.query<Progress>('progress').catch(() => undefined);
    if (progress !== undefined && words.test(progress.waitingFor)) return progress;
    await sleep(200);
  }
}

/** An order of a unique amount for the worker process, and its count on the chain. */
async function transferOf(amount: string) {
  const custody = createCustodyClient(stack);
  const wallet = await createFundedWallet(custody, 'EOA');
  const transfer = { from: wallet.address, to: newAddress(), amount };
  const order = { ...transfer, from: { walletId: wallet.id }, token: 'USDC' };
  return { order, onChain: () => countTransfers(chain, transfer) };
}

describe('an order', () => {
  test('waits until the API key of its worker is corrected, and goes on', async () => {
    const { order, onChain } = await transferOf('1.01');
    await restart(stack.worker, workerEnv, { CUSTODY_API_KEY: otherKey });
    const { receipt } = await steadfast.start('transferStablecoin', 'transfer:worker-key', order);
    const { status } = await waitsFor('transfer:worker-key', /answered with 401.*CUSTODY_API_KEY/);
    expect(status).toBe('NeedsOperator');
    await restart(stack.worker, workerEnv, { CUSTODY_API_KEY: stack.apiKey });
    await receipt();
    expect(await onChain()).toBe(1);
  });

  test('with money in flight waits until the key of the service is set back', async () => {
    const { order, onChain } = await transferOf('1.02');
    // The transfer settles after the key has changed.
    await restart(stack.sandbox, sandboxEnv, { SANDBOX_SETTLE_MS: '600000' });
    const { receipt } = await steadfast.start('transferStablecoin', 'transfer:service-key', order);
    await waitsFor('transfer:service-key', /to settle/);
    await restart(stack.sandbox, sandboxEnv, { SANDBOX_API_KEY: otherKey });
    const { status } = await waitsFor('transfer:service-key', /answered with 401.*CUSTODY_API_KEY/);
    expect(status).toBe('NeedsOperator');
    await restart(stack.sandbox, sandboxEnv, {
      SANDBOX_API_KEY: stack.apiKey,
      SANDBOX_SETTLE_MS: '300',
    });
    await receipt();
    expect(await onChain()).toBe(1);
  });

  test("waits until a rotated entity secret is in its worker's settings", async () => {
    const { order, onChain } = await transferOf('1.03');
    await restart(stack.sandbox, sandboxEnv, { SANDBOX_ENTITY_SECRET: otherSecret });
    const { receipt } = await steadfast.start('transferStablecoin', 'transfer:secret', order);
    const { status } = await waitsFor('transfer:secret', /156013.*CUSTODY_ENTITY_SECRET/);
    expect(status).toBe('NeedsOperator');
    expect(await onChain()).toBe(0);
    await restart(stack.worker, workerEnv, { CUSTODY_ENTITY_SECRET: otherSecret });
    await receipt();
    expect(await onChain()).toBe(1);
  });
});

/** Longer than the 7.5 s for which a read is retried without a word. */
const downMs = 9_000;

const mint = { amount: '5' };
const deployment = { name: 'Ebb', parameters: { name: 'Ebb', symbol: 'EBB' }, mint };
const payment = { name: 'Flow', amount: '1.04', token: 'USDC', accountType: 'EOA' as const };

describe('a service that goes down at any stage of a sequence', () => {
  let orders: Orders;
  const ways = new Map<string, { outage: Outage; custody: CustodyApi }>();

  beforeAll(async () => {
    orders = await runOrders(byOrder(), {
      address: stack.temporalAddress,
      baseUrl: stack.baseUrl,
      lookupGraceMs: 5_000,
    });
  });
  afterAll(async () => {
    await orders?.stop();
    await Promise.all([...ways.values()].map(({ outage }) => outage.close()));
  });

  /** One worker for all orders. Each order has its own path to the service. */
  function byOrder(): CustodyApi {
    const calls = Object.keys(endpoints).map((name) => [
      name,
      (...args: unknown[]) => {
        const id = Context.current().info.workflowExecution?.workflowId ?? '';
        const way = ways.get(id)?.custody as unknown as Record<
          string,
          (...all: unknown[]) => unknown
        >;
        return way?.[name]?.(...args);
      },
    ]);
    return Object.fromEntries(calls) as CustodyApi;
  }

  async function open(id: string, fallsAt?: string): Promise<Outage> {
    const outage = await startOutage(new URL(stack.baseUrl).origin, fallsAt);
    const keys = { apiKey: stack.apiKey, entitySecret: otherSecret };
    ways.set(id, { outage, custody: createCustodyClient({ ...keys, baseUrl: outage.baseUrl }) });
    return outage;
  }

  /** The stages of a sequence: every endpoint that it calls when nothing goes wrong. */
  async function stagesOf(kind: 'transferSequence' | 'deploymentSequence', order: object) {
    const outage = await open(kind);
    await orders.steadfast.execute(kind, kind, order as never);
    // The faucet accepts no key. When it does not answer, the order asks a person for the money.
    return outage.endpoints.filter((endpoint) => !endpoint.includes('/faucet/'));
  }

  const sequences = [
    ['transferSequence', payment, 7],
    ['deploymentSequence', deployment, 8],
  ] as const;

  /** Starts one order for each stage at once. The service goes down at that stage. */
  async function startOrders([kind, order, stagesMin]: (typeof sequences)[number]) {
    const stages = await stagesOf(kind, order);
    expect(stages.length).toBeGreaterThanOrEqual(stagesMin);
    return Promise.all(
      stages.map(async (stage, number) => {
        const id = `${kind}:${number}`;
        const outage = await open(id, stage);
        const { receipt } = await orders.steadfast.start(kind, id, order as never);
        return { id, outage, receipt };
      }),
    );
  }

  test('makes both sequences wait, show it, and go on without help', async () => {
    const started = (await Promise.all(sequences.map(startOrders))).flat();
    const hasFallen = await Promise.all(
      started.map(({ outage, receipt }) =>
        Promise.race([outage.fallen.then(() => true), receipt().then(() => false)]),
      ),
    );
    const waiting = started.filter((_, at) => hasFallen[at]);
    // Orders share a reading of the list, so that one of them may never ask for it.
    expect(waiting.length).toBeGreaterThanOrEqual(started.length - sequences.length);
    await sleep(downMs);
    const refused = /cannot be reached \(ECONNREFUSED\)/;
    const shown = waiting.map(async ({ id }) => {
      const shows = ({ waitingFor }: Progress) => refused.test(waitingFor);
      return shows(await orders.progress(id, (told) => shows(told) || isEnd(told.status)));
    });
    // An order goes on at once if another has read for it what it asked for in vain.
    const shownMin = started.length - 2 * sequences.length;
    expect((await Promise.all(shown)).filter(Boolean).length).toBeGreaterThanOrEqual(shownMin);
    await Promise.all(started.map(({ outage }) => outage.rise()));
    const moved = started.map(async ({ id, receipt }) => {
      return [id, await effects((await receipt()) as Effect)] as const;
    });
    expect(await Promise.all(moved)).toEqual(started.map(({ id }) => [id, 1]));
  });
});

type Effect = { from?: string; to?: string; wallet?: { address: string } };

/** The number of movements on the chain that belong to a receipt. */
async function effects({ from = '', to = '', wallet }: Effect): Promise<number> {
  if (wallet !== undefined) return countDeployments(chain, wallet.address);
  return countTransfers(chain, { from, to, amount: payment.amount });
}
