import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { getAddress } from 'viem';
import { runCli } from '../../cli/runCli';
import { newFolder, stopLater } from '../../support/jest/setUp';
import { createServe } from '../../support/orders';
import { inSandbox } from '../../support/sandbox';
import { someone } from '../../support/stages';
import { temporalAddress } from '../../support/temporal';

const folder = newFolder();
const serve = createServe();
const template = "yyyy-MM-dd'T'HH-mm-ss";
const created: string[] = [];

const sandbox = inSandbox();
let client: Client;
beforeAll(async () => {
  client = new Client({ connection: await Connection.connect({ address: temporalAddress() }) });
  stopLater(async () => {
    await Promise.all(created.map((id) => client.schedule.getHandle(id).delete()));
    await client.connection.close();
  });
});

/** Writes a file of payments, each to a payee of its own. Returns its path and the payees. */
function fileOf(name: string, amounts: readonly string[], payees = amounts.map(() => someone())) {
  const path = join(folder, name);
  const rows = amounts.map((amount, at) => `${name}-${at},${payees[at]},${amount},USDC`);
  writeFileSync(path, ['lineId,to,amount,token', ...rows, ''].join('\n'));
  return { path, payees };
}

/** A schedule that pays a file once, so many seconds from now, and the name of its period. */
async function salaries(path: string, leadS: number) {
  const wallet = await sandbox.fundedWallet('EOA');
  const { taskQueue } = await serve(sandbox.client, { baseUrl: sandbox.baseUrl });
  const env = { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: taskQueue };
  const id = `pay-${randomUUID().slice(0, 8)}`;
  const offset = `${(Math.ceil(Date.now() / 1_000) + leadS) % 3_600 || 1}s`;
  const when = ['--every', '1h', '--offset', offset, '--period', template, '--runs', '1'];
  const what = ['--kind', 'payout', '--file', path, '--wallet', wallet.id];
  const ran = await runCli(['schedule', 'create', id, ...what, ...when, '--yes', '--json'], env);
  expect(ran).toMatchObject({ code: 0 });
  created.push(id);
  const { nextActionTimes } = (await client.schedule.getHandle(id).describe()).info;
  const [at] = nextActionTimes;
  if (at === undefined) throw new Error('It has no period.');
  const period = at.toISOString().slice(0, 19).replaceAll(':', '-');
  const paid = async () =>
    (await sandbox.transfers({ from: wallet.address })).map(({ value }) => value);
  return { id, env, period, order: `payout:${id}:${period}`, paid };
}

test('a period that is overridden with a file of payments pays that file once, and not its own', async () => {
  const usual = fileOf('salaries.csv', ['0.1', '0.2']);
  const bonus = fileOf('bonus.csv', ['0.5', '0.7', '0.9']);
  const { id, env, period, order, paid } = await salaries(usual.path, 25);
  const ways = ['schedule', 'override', id, '--period', period, '--file', bonus.path];
  const told = await runCli(ways, env);
  expect(told).toMatchObject({ code: 0 });
  expect(told.stdout + told.stderr).toContain('2.1 USDC in 3 lines');
  // The same command again is the same override.
  expect(await runCli(ways, env)).toMatchObject({ code: 0 });
  while (
    (await client.workflow
      .getHandle(order)
      .describe()
      .catch(() => undefined)) === undefined
  )
    await new Promise((done) => setTimeout(done, 500));
  expect(await client.workflow.getHandle(order).result()).toMatchObject({ lines: 3, paid: 3 });
  expect(await runCli(['schedule', 'trigger', id, '--period', period], env)).toMatchObject({
    code: 0,
  });
  expect((await paid()).sort()).toEqual([500_000n, 700_000n, 900_000n]);
  // The results have the names that their reader knows.
  const book = join(folder, 'book.csv');
  writeFileSync(book, `name,address\nAnn Berg,${bonus.payees[1]}\n`);
  const results = await runCli(['payout', 'results', order], {
    ...env,
    STEADFAST_ADDRESS_BOOK: book,
  });
  const names = results.stdout.split('\n').filter((row) => row.includes('Ann Berg'));
  const [payee = ''] = bonus.payees.slice(1);
  expect(names).toEqual([expect.stringContaining(`bonus.csv-1,${getAddress(payee)}`)]);
});
