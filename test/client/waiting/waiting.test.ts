import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import {
  BadOrderError,
  connectSteadfast,
  createSteadfast,
  type Steadfast,
} from '../../../src/client/client';
import { awaited } from '../../../src/client/waiting/waiting';
import { bundleChanged } from '../../support/histories/changedWorkflows';
import { setUp } from '../../support/jest/setUp';
import { createServe, runOrders } from '../../support/orders';
import { scriptedCustody, sender, transferOrder } from '../../support/service/scriptedCustody';
import { temporalAddress } from '../../support/temporal';

const serve = createServe();
const newId = (): string => `transfer:${randomUUID()}`;

const orders = setUp(() => runOrders(scriptedCustody()));

/** A client of the environment, with Temporal at an address. */
async function connected(address: string, timeoutMs: number) {
  const before = process.env.TEMPORAL_ADDRESS;
  process.env.TEMPORAL_ADDRESS = address;
  try {
    return await connectSteadfast({ timeoutMs });
  } finally {
    if (before === undefined) delete process.env.TEMPORAL_ADDRESS;
    else process.env.TEMPORAL_ADDRESS = before;
  }
}

/** A way to Temporal that can fall silent, without a word to either end. */
async function startLine() {
  const [host, port] = temporalAddress().split(':');
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    sockets.push(near, far);
    for (const socket of [near, far]) socket.on('error', () => {});
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

it('a queue that no worker polls is told within seconds, and the same call goes on later', async () => {
  const taskQueue = `wrong-${randomUUID()}`;
  const id = newId();
  const { execute } = createSteadfast({ client: orders.client, taskQueue });
  const began = Date.now();
  await expect(execute('transferStablecoin', id, transferOrder)).rejects.toMatchObject({
    name: 'StillRunningError',
    message: expect.stringContaining(
      `${id} was started, and nothing takes it up. No worker polls the task queue ` +
        `"${taskQueue}" (STEADFAST_TASK_QUEUE). Set it to that of the workers`,
    ),
  });
  expect(Date.now() - began).toBeLessThan(15_000);
  const custody = scriptedCustody();
  await serve(custody, { taskQueue });
  expect(await execute('transferStablecoin', id, transferOrder)).toMatchObject({ txHash: '0xabc' });
  expect(custody.calls('createTransfer')).toHaveLength(1);
});

it('a wait ends when its time is up, says why, and the order goes on', async () => {
  const { start } = createSteadfast({ client: orders.client, taskQueue: 'nobody' });
  const id = newId();
  const { receipt } = await start('transferStablecoin', id, transferOrder);
  const words = `${id} has no receipt after 0.2 seconds. No worker polls the task queue "nobody"`;
  const late = { name: 'StillRunningError', message: expect.stringContaining(words) };
  await expect(receipt({ timeoutMs: 200 })).rejects.toMatchObject(late);
  await expect(receipt({ timeoutMs: 200 })).rejects.toMatchObject(late);
  const { status } = await orders.client.workflow.getHandle(id).describe();
  expect(status.name).toBe('RUNNING');
  await expect(receipt({ timeoutMs: 0 })).rejects.toThrow('timeoutMs: 0 must be a number of');
});

it('a long wait asks often, and Node warns of nothing', async () => {
  const { start } = createSteadfast({ client: orders.client, taskQueue: 'nobody' });
  const id = newId();
  await start('transferStablecoin', id, transferOrder);
  const handle = orders.client.workflow.getHandle(id);
  const warnings: Error[] = [];
  const note = (warning: Error): number => warnings.push(warning);
  process.on('warning', note);
  try {
    const asksOften = async (): Promise<string> => {
      for (let poll = 0; poll < 12; poll += 1) await handle.describe();
      return 'done';
    };
    expect(await awaited(handle, asksOften, { timeoutMs: 30_000 })).toBe('done');
    await new Promise(setImmediate);
  } finally {
    process.off('warning', note);
  }
  expect(warnings).toEqual([]);
});

it('a wrong kind is told at once, and nothing is started', async () => {
  const id = newId();
  // As plain JavaScript may call it.
  const start: (kind: string, id: string, order: object) => Promise<unknown> = (kind, ...rest) =>
    Reflect.apply(orders.steadfast.start, undefined, [kind, ...rest]);
  const wrong = start('transferStableCoin', id, transferOrder);
  await expect(wrong).rejects.toBeInstanceOf(BadOrderError);
  await expect(wrong).rejects.toThrow('kind: "transferStableCoin" must be one of');
  await expect(orders.steadfast.status(id)).rejects.toThrow('Temporal knows no order');
});

it('Temporal that is away is a sentence, within the time that the caller gives', async () => {
  const began = Date.now();
  await expect(connected('127.0.0.1:1', 400)).rejects.toMatchObject({
    name: 'UnreachableError',
    message: expect.stringMatching(
      /at 127\.0\.0\.1:1 \(TEMPORAL_ADDRESS\).*npx --no-install steadfast dev/,
    ),
  });
  expect(Date.now() - began).toBeLessThan(5_000);
});

it('Temporal that falls silent later is a sentence too, with its address', async () => {
  const line = await startLine();
  const steadfast = await connected(line.address, 2_000);
  line.fallSilent();
  const began = Date.now();
  await expect(steadfast.status(newId())).rejects.toMatchObject({
    name: 'TemporalError',
    message: expect.stringContaining(`did not answer at ${line.address} (TEMPORAL_ADDRESS)`),
  });
  expect(Date.now() - began).toBeLessThan(10_000);
  line.close();
  await steadfast.close();
});

describe('a client on a Temporal client of its own', () => {
  it('tells in a sentence that Temporal has fallen silent, in the time that it was given', async () => {
    const line = await startLine();
    const connection = await Connection.connect({ address: line.address });
    const client = new Client({ connection });
    const steadfast = createSteadfast({ client, taskQueue: 'steadfast', timeoutMs: 1_000 });
    line.fallSilent();
    const words = `did not answer at ${line.address} (TEMPORAL_ADDRESS)`;
    const silent = { name: 'TemporalError', message: expect.stringContaining(words) };
    const began = Date.now();
    await expect(
      steadfast.execute('transferStablecoin', newId(), transferOrder),
    ).rejects.toMatchObject(silent);
    await expect(steadfast.status(newId())).rejects.toMatchObject(silent);
    const lines = async () => {
      for await (const _ of steadfast.payoutLines(newId()));
    };
    await expect(lines()).rejects.toMatchObject(silent);
    expect(Date.now() - began).toBeLessThan(10_000);
    line.close();
    await connection.close();
  });

  it('is refused with a time that is none', () => {
    const { client } = orders;
    expect(() => createSteadfast({ client, taskQueue: 'steadfast', timeoutMs: 0 })).toThrow(
      'timeoutMs: 0 must be a number of milliseconds above 0, or absent.',
    );
  });
});

describe('a queue without workers is told within seconds', () => {
  const taskQueue = `nobody-${randomUUID()}`;
  const line = { lineId: '1', to: transferOrder.to, amount: '1', token: 'USDC' };
  const payout = { payoutId: randomUUID(), wallets: [sender.id] };
  type Ask = (steadfast: Steadfast, id: string) => Promise<unknown>;
  const asks: [string, Ask][] = [
    [
      'a receipt',
      async ({ start }, id) => (await start('transferStablecoin', id, transferOrder)).receipt(),
    ],
    ['a plan', ({ plan }, id) => plan('transferStablecoin', id, transferOrder)],
    ['lines of a payout', ({ payout: pay }) => pay(payout, [line])],
    [
      'a control',
      async ({ start, pause }, id) => {
        await start('transferStablecoin', id, transferOrder);
        await pause(id, 'to see');
      },
    ],
  ];
  it.concurrent.each(asks)('to who waits for %s', async (_, ask) => {
    const steadfast = createSteadfast({ client: orders.client, taskQueue });
    const began = Date.now();
    await expect(ask(steadfast, newId())).rejects.toMatchObject({
      name: 'StillRunningError',
      message: expect.stringContaining(`No worker polls the task queue "${taskQueue}"`),
    });
    expect(Date.now() - began).toBeLessThan(20_000);
  });
});

it('a workflow that the workers do not know is told within seconds', async () => {
  const workflows = await bundleChanged([
    {
      file: 'index.ts',
      from: "export { transferStablecoin } from './transferStablecoin';\n",
      to: '',
    },
  ]);
  const { steadfast } = await serve(scriptedCustody(), { workflows });
  await expect(
    steadfast.execute('transferStablecoin', newId(), transferOrder),
  ).rejects.toMatchObject({
    name: 'StillRunningError',
    message: expect.stringMatching(/Workers cannot go on with it: .*transferStablecoin/),
  });
});
