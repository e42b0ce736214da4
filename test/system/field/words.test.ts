import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli, startCli } from '../../cli/runCli';
import { watchedCli } from '../../cli/watchedCli';
import { newFolder } from '../../support/jest/setUp';
import { createServe, envOf } from '../../support/orders';
import { createFundedWallet, createUsedWallet } from '../../support/sandbox';
import { scriptedCustody, transferOrder } from '../../support/service/scriptedCustody';
import { openTill } from '../../support/service/tillCustody';
import { temporalAddress } from '../../support/temporal';
import { officeOf } from '../authority/office';
import { payee, tiered } from '../authority/signedOffice';
import { startDev } from './devStack';

const root = join(__dirname, '..', '..', '..');
const folder = newFolder();
const serve = createServe();

const { keys, ...office } = officeOf('words', tiered);
const { backend, ann, bo } = keys;

describe('an approval', () => {
  it('that does not count ends with 1 and says why, and one that counts says how many do (field D 10)', async () => {
    const id = 'transfer:words';
    const [wallet] = office.wallets();
    const started = await office.steadfastWith(backend.sign).start('transferStablecoin', id, {
      from: { walletId: wallet?.id ?? '' },
      to: payee,
      amount: '3',
      token: 'USDC',
    });
    await office.untilAsked(id);
    const approve = (key: string) => office.cli(['approve', id, '--key', key, '--yes']);
    const own = await approve(backend.path);
    expect(own.stdout).toContain('The approval does not count: backend may not decide on it.');
    expect(await approve(ann.path)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The approval of ann counts: 1 of 2 so far.'),
    });
    // A signature of another second is another one, and Ann is one person.
    await sleep(1_100);
    const twice = await approve(ann.path);
    expect(twice.stdout).toContain('ann has approved it before, and counts once.');
    const no = ['reject', id, '--key', backend.path, '--reason', 'mine', '--yes'];
    const rejected = await office.cli(no);
    expect(rejected.stdout).toContain(
      'The rejection does not count: backend may not decide on it.',
    );
    expect([own, twice, rejected].map(({ code }) => code)).toEqual([1, 1, 1]);
    const { stdout } = await office.cli(['status', id]);
    expect(stdout).toContain('ann has approved transfer/1#0');
    expect(stdout).toContain('Not counted: ann has approved it before, and counts once.');
    expect(await office.paid()).toEqual([]);
    expect(await approve(bo.path)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The approval counts'),
    });
    await started.receipt();
    expect(await office.paid()).toEqual([3_000_000]);
  });
});

describe('the stack for development', () => {
  it('starts a killed part again, and says so in words (field D 8, 16)', async () => {
    const dev = startDev();
    try {
      await dev.until('Ctrl-C stops everything');
      const second = startDev(dev.folder);
      expect(await second.exited).toBe(2);
      expect(second.said()).toContain('"npm run dev" is running already');
      for (const [part, name] of [
        ['worker', 'The worker'],
        ['sandbox', 'The sandbox'],
        ['console', 'The console'],
      ] as const) {
        const before = dev.pidOf(`steadfast.js ${part}`);
        process.kill(before, 'SIGKILL');
        await dev.until(`! ${name} was killed (SIGKILL). It is started again.`);
        await dev.until(`✓ ${name} is up again.`);
        expect(dev.pidOf(`steadfast.js ${part}`)).not.toBe(before);
      }
      expect(dev.said()).not.toMatch(/"level":|Stopping/);
    } finally {
      await dev.stop();
    }
    const [, stopping = ''] = dev.said().split('Stopping.');
    expect(stopping).toContain('Stopped. State is in');
    expect(stopping).not.toMatch(/ended by itself|started again/);
  });
});

describe('a status', () => {
  it('of a workflow whose name no worker knows says so, and not that no worker runs (field D 8)', async () => {
    const orders = await serve(scriptedCustody());
    const id = `transfer:${randomUUID()}`;
    const handle = await orders.client.workflow.start('transferStableCoin', {
      workflowId: id,
      taskQueue: orders.taskQueue,
      args: [transferOrder],
    });
    await sleep(2_000);
    const { stdout } = await runCli(['status', id], envOf(orders));
    expect(stdout).toContain('No worker knows a workflow "transferStableCoin"');
    expect(stdout).toContain(`temporal workflow terminate -w ${id}`);
    await handle.terminate();
  });

  it('right after the end tells the receipt, and ends with 0 (field D 16)', async () => {
    const till = openTill();
    const orders = await serve(till.custody);
    const id = `transfer:${randomUUID()}`;
    const order = {
      from: { walletId: till.wallets[0]?.id },
      to: payee,
      amount: '1',
      token: 'USDC',
    };
    const started = await orders.client.workflow.start('transferStablecoin', {
      workflowId: id,
      taskQueue: orders.taskQueue,
      args: [order],
    });
    await orders.progress(id, ({ status }) => status === 'Done').catch(() => undefined);
    expect(await runCli(['status', id], envOf(orders))).toMatchObject({ code: 0 });
    await started.result();
  });
});

describe('an error', () => {
  it('of the Node client without Temporal is one sentence with a way out (field D 13)', () => {
    const file = join(folder, 'pay.js');
    const client = JSON.stringify(join(root, 'src/client/client.ts'));
    writeFileSync(file, `const { connectSteadfast } = require(${client});\nconnectSteadfast();`);
    const { stderr } = spawnSync(process.execPath, ['--require', './scripts/typescript', file], {
      cwd: root,
      env: { PATH: process.env.PATH, TEMPORAL_ADDRESS: '127.0.0.1:1' },
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/UnreachableError: Temporal cannot be reached at 127\.0\.0\.1:1/);
    expect(stderr).toContain('set TEMPORAL_ADDRESS to where it is');
    expect(stderr).not.toMatch(/grpc|node_modules/);
  });

  it('of a namespace that is not there is a sentence from each call (field D 13)', () => {
    const file = join(folder, 'list.js');
    const client = JSON.stringify(join(root, 'src/client/client.ts'));
    writeFileSync(
      file,
      `const { connectSteadfast } = require(${client});
      connectSteadfast().then((s) => s.status('transfer:1'));`,
    );
    const { stderr } = spawnSync(process.execPath, ['--require', './scripts/typescript', file], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        TEMPORAL_ADDRESS: temporalAddress(),
        TEMPORAL_NAMESPACE: 'elsewhere',
      },
      encoding: 'utf8',
    });
    expect(stderr).toContain('TemporalError: TEMPORAL_NAMESPACE: Temporal has no namespace');
    expect(stderr).not.toMatch(/grpc|node_modules/);
  });

  it('of a port that another program has and of a file that is not there is told in words (field D 16)', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const service = {
      CUSTODY_BASE_URL: 'http://127.0.0.1:1/v1/w3s',
      CUSTODY_API_KEY: 'TEST_API_KEY:a:b',
    };
    const env = { TEMPORAL_ADDRESS: temporalAddress(), ...service };
    const { code, stderr } = await startCli(['webhooks', '--port', `${port}`], env).ended;
    other.close();
    expect(stderr).toBe(
      `Error: port ${port} of 127.0.0.1 is used by another program. Stop that one, or choose another port.\n`,
    );
    expect(code).toBe(2);
    const gone = await runCli(['payout', 'nothere.csv', '--id', 'x', '--wallet', randomUUID()]);
    expect(gone.stderr).toContain('nothere.csv cannot be read: it is not there.');
    expect(gone.code).toBe(2);
  });
});

describe('money in words', () => {
  it('a wallet shows one coin with two faces as one, before and after it paid (field D 16)', async () => {
    const { client, baseUrl, secrets } = office.sandbox();
    const env = { CUSTODY_BASE_URL: baseUrl, CUSTODY_API_KEY: secrets.apiKey };
    const wallet = await createFundedWallet(client);
    const { stdout } = await runCli(['wallet', wallet.id], env);
    expect(stdout).toMatch(/\n +20 +USDC, and native: one coin\n/);
    const payer = await createUsedWallet(client, 'EOA');
    const spent = await runCli(['wallet', payer.id], env);
    expect(spent.stdout).toMatch(/\n +19\.99\d+ +USDC, and native: one coin\n/);
  });

  it('fund says that it asks the faucet, and what a cancelled one leaves (field D 15)', async () => {
    const { client, baseUrl } = office.sandbox();
    const wallet = await createFundedWallet(client);
    const orders = await serve(client, { baseUrl });
    const id = `fund:${randomUUID()}`;
    const order = { wallet: { walletId: wallet.id }, amount: '5000', token: 'USDC' };
    const started = await orders.steadfast.start('fundWallet', id, order);
    const { waitingFor } = await orders.progress(id, (progress) =>
      progress.waitingFor.startsWith('the faucet'),
    );
    expect(waitingFor).toMatch(/^the faucet, which is asked until .* holds 5000 USDC\. It has/);
    await orders.steadfast.cancel(id, 'enough');
    await expect(started.receipt()).rejects.toThrow('was cancelled');
    const { stdout } = await runCli(['status', id], envOf(orders));
    expect(stdout).toMatch(/holds \d+ USDC, and keeps what the faucet gave/);
  });
});

describe('on a terminal', () => {
  it('--no-wait prints the id once (field D 16)', async () => {
    const till = openTill();
    const orders = await serve(till.custody);
    const id = `transfer:${randomUUID()}`;
    const flags = ['--to', payee, '--amount', '1', '--token', 'USDC', '--id', id, '--no-wait'];
    const from = ['transfer', '--from', `${till.wallets[0]?.id}`];
    const { stdout, stderr } = await watchedCli([...from, ...flags], envOf(orders));
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: `Started ${id}.\n` });
  });

  it('keys that a page makes are ignored by git (field D 16)', () => {
    const names = ['backend-key', 'ann-key', 'bo-key', 'bo-key.pub'];
    const { stdout } = spawnSync('git', ['check-ignore', ...names], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stdout.trim().split('\n')).toEqual(names);
  });
});
