import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newestFirst } from '../../../src/client/find/newestFirst';
import { setUp } from '../../support/jest/setUp';
import { runOrders } from '../../support/orders';
import { scriptedCustody, sender, transferOrder } from '../../support/service/scriptedCustody';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';
import { runCli } from '../runCli';

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
/** A queue that no worker serves: what is started stays where it is. */
const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: 'nobody' };

const orders = setUp(() => runOrders(scriptedCustody()));

function startTransfer(id: string, to: string, amount = '5') {
  const order = ['--from', wallet, '--to', to, '--amount', amount, '--token', 'USDC'];
  return runCli(['transfer', ...order, '--id', id, '--no-wait'], env);
}

/** The ids of a list, once it has as many rows. Temporal's list is a moment behind. */
async function idsListed(count: number, ...filter: string[]): Promise<string[]> {
  for (let look = 1; ; look++) {
    const { stdout } = await runCli(['list', ...filter, '--json'], env);
    const ids = JSON.parse(stdout).map(({ workflowId }: { workflowId: string }) => workflowId);
    if (ids.length === count || look === 50) return ids;
    await sleep(100);
  }
}

it('a list is newest first by the start, whatever has ended last', async () => {
  const [to, name] = [someone(), randomUUID()];
  const ids = [`transfer:${name}-a`, `transfer:${name}-b`];
  for (const id of ids) await startTransfer(id, to);
  // Temporal itself would now show the older one first, since it has ended last.
  for (const id of [...ids].reverse()) await orders.client.workflow.getHandle(id).terminate();
  expect(await idsListed(2, '--to', to.toLowerCase())).toEqual([ids[1], ids[0]]);
  expect(await idsListed(1, '--to', to, '--limit', '1')).toEqual([ids[1]]);
});

it('a list goes on from where another one ended, and has running orders alone where wanted', async () => {
  const [to, name] = [someone(), randomUUID()];
  const ids = ['a', 'b', 'c'].map((end) => `transfer:${name}-${end}`);
  for (const id of ids) await startTransfer(id, to);
  await orders.client.workflow.getHandle(ids[0] ?? '').terminate();
  await idsListed(3, '--to', to);
  const { list } = orders.steadfast;
  const [, second] = await list({ to });
  const older = await list({ to, until: second?.startedAt ?? '' });
  expect(older.map(({ workflowId }) => workflowId)).toEqual([ids[1], ids[0]]);
  const running = async (): Promise<string[]> =>
    (await list({ to, isRunning: true })).map(({ workflowId }) => workflowId);
  for (let look = 0; look < 50 && (await running()).length > 2; look += 1) await sleep(100);
  expect(await running()).toEqual([ids[2], ids[1]]);
  expect(await list({ to, scope: 'transfer' })).toHaveLength(3);
  expect(await list({ to, scope: 'shop' })).toEqual([]);
  await expect(list({ until: 'June' })).rejects.toThrow('until: "June" must be an ISO 8601 time.');
});

it('a list of what no order can have is refused, since it would say that nothing was paid', async () => {
  const { list } = orders.steadfast;
  for (const since of ['01/02/2026', '2026-02-30', '2026-11-31T00:00:00Z']) {
    await expect(list({ since })).rejects.toThrow(`since: "${since}" must be an ISO 8601 time.`);
  }
  for (const amount of ['12,50', '-1', '1e3', '']) {
    await expect(list({ amount })).rejects.toThrow('must be a plain number, such as "12.50".');
  }
  expect(await list({ amount: '987654321.5', since: '2026-01-31' })).toEqual([]);
});

it('more runs than a page has come newest first too, each once', async () => {
  const [to, name] = [someone(), randomUUID()];
  const ids = Array.from({ length: 5 }, (_, at) => `transfer:${name}-${at}`);
  for (const id of ids) await startTransfer(id, to);
  await idsListed(5, '--to', to);
  const query = `WorkflowId STARTS_WITH 'transfer:${name}'`;
  const found: string[] = [];
  for await (const run of newestFirst(orders.client.workflow, query, { pageSize: 2 })) {
    found.push(run.workflowId);
  }
  expect(found).toEqual([...ids].reverse());
});

it('runs that go on and runs that are over are merged by their start, the longest too', async () => {
  const [to, name] = [someone(), randomUUID()];
  const ids = Array.from({ length: 6 }, (_, at) => `transfer:${name}-${at}`);
  for (const id of ids) await startTransfer(id, to);
  // The first one has run the longest, and two go on.
  for (const at of [4, 2, 5, 0]) {
    await orders.client.workflow.getHandle(ids[at] ?? '').terminate();
  }
  const query = `WorkflowId STARTS_WITH 'transfer:${name}'`;
  const listed = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const run of newestFirst(orders.client.workflow, query, { pageSize: 2 })) {
      found.push(`${run.workflowId} ${run.status.name}`);
    }
    return found;
  };
  const wanted = ids.map((id, at) => `${id} ${[1, 3].includes(at) ? 'RUNNING' : 'TERMINATED'}`);
  for (let look = 0; look < 50; look += 1) {
    if ((await listed()).join() === wanted.toReversed().join()) break;
    await sleep(100);
  }
  expect(await listed()).toEqual(wanted.toReversed());
});

it('an order is found by its reference, its wallet, its amount and its time', async () => {
  const [id, reference] = [`transfer:${randomUUID()}`, `Invoice '77' ${randomUUID()}`];
  await orders.steadfast.execute('transferStablecoin', id, { ...transferOrder, reference });
  const own = ['--reference', reference];
  expect(await idsListed(1, ...own)).toEqual([id]);
  const all = [...own, '--wallet', sender.address, '--amount', '5.00', '--kind', 'transfer'];
  expect(await idsListed(1, ...all, '--since', '2026-01-31', '--to', transferOrder.to)).toEqual([
    id,
  ]);
  for (const other of [
    ['--wallet', someone()],
    ['--amount', '5.01'],
    ['--to', someone()],
    ['--since', '2199-01-01'],
    ['--kind', 'payout'],
    ['--status', 'Failed'],
  ]) {
    const { stdout } = await runCli(['list', ...own, ...other, '--json'], env);
    expect([other, JSON.parse(stdout)]).toEqual([other, []]);
  }
});

it('a short name means its one order, and one of several is told with the candidates', async () => {
  const name = randomUUID();
  await startTransfer(`transfer:${name}`, someone());
  const [one, unknown] = await Promise.all([
    runCli(['status', name], env),
    runCli(['status', randomUUID()], env),
  ]);
  expect(one.stdout).toContain(`transfer:${name} · transferStablecoin · running`);
  expect(unknown.stderr).toContain('Temporal knows no order');

  await orders.client.workflow.start('payout', {
    workflowId: `payout:${name}`,
    taskQueue: 'nobody',
  });
  const [several, withdrawn] = await Promise.all([
    runCli(['status', name], env),
    runCli(['cancel', name, '--reason', 'a test'], env),
  ]);
  const words = `id: "${name}" may be transfer:${name} or payout:${name}. Give one of these ids`;
  expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  expect(withdrawn).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });

  const taskQueue = 'nobody';
  await orders.client.workflow.start('transferStablecoin', { workflowId: name, taskQueue });
  const exact = await runCli(['status', name], env);
  expect(exact.stdout).toContain(`${name} · transferStablecoin · running`);
});

it('a filter that finds nothing among private payloads is refused', async () => {
  const keys = { STEADFAST_CODEC_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
  for (const [flag, value] of [
    ['reference', 'invoice 7'],
    ['wallet', someone()],
  ] as const) {
    const { code, stderr, stdout } = await runCli(['list', `--${flag}`, value], {
      ...env,
      ...keys,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${flag}: no list tells it, since payloads are private.`);
  }
});

it('a wallet without an order has the way to the lines of payouts', async () => {
  const { stderr } = await runCli(['list', '--wallet', someone()], env);
  expect(stderr).toContain('Lines of payouts are found with: npx --no-install steadfast paid');
});

it('a filter that cannot be is refused with a way out', async () => {
  const rows = [
    ['--to', 'Ann'],
    ['--amount', '1,50'],
    ['--since', 'yesterday'],
    ['--wallet', 'till'],
    ['--kind', 'pay'],
  ];
  const told = await Promise.all(rows.map((row) => runCli(['list', ...row], env)));
  expect(told.map(({ code }) => code)).toEqual(rows.map(() => 2));
  expect(told.map(({ stderr }) => stderr.slice(0, 70))).toEqual([
    'Error: --to: "Ann" is not an address: give 0x and 40 hexadecimal digit',
    'Error: --amount: "1,50" must be a plain number, such as 12.50.\n',
    'Error: --since: "yesterday" is no day such as 2026-01-31, and no time ',
    'Error: --wallet: "till" is not the id of a wallet, and not an address.',
    'Error: --kind: "pay" must be a command (provision, deploy, mint, execu',
  ]);
});
