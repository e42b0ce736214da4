import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readSandboxConfig } from '../../sandbox/config/config';
import { temporalServer } from '../../scripts/temporalServer';
import { readCodecKeys } from '../../src/client/privacy/config';
import { NoAnswerError, RefusedError } from '../../src/custody/errors';
import { readWorkerConfig } from '../../src/worker/workerConfig';
import { newFolder } from '../support/jest/setUp';
import { createServe, type Orders } from '../support/orders';
import { inSandbox } from '../support/sandbox';
import {
  transferOrder as order,
  scriptedCustody,
  sender,
  transferRecord,
} from '../support/service/scriptedCustody';
import { openTill } from '../support/service/tillCustody';
import { temporalAddress } from '../support/temporal';
import { runCli } from './runCli';

/**
 * A message that names a command is a promise: the command works as it stands there. Each test here
 * provokes the message, takes the command from it, and runs that.
 */
const folder = newFolder();
const serve = createServe();
const newId = (): string => `transfer:${randomUUID()}`;

/** The words of the first command in a message, after `steadfast` or `temporal`. */
function commandIn(
  message: string,
  { program = 'steadfast', word = '', fill = {} as Record<string, string> } = {},
): string[] {
  const [, line] = new RegExp(`${program} (${word}[^\\n]*)`).exec(message) ?? [];
  if (line === undefined) throw new Error(`No command of ${program} is in: ${message}`);
  const words = line.match(/'[^']*'|"[^"]*"|<[^>]*>(?=\s|$)|[^\s"']+/g) ?? [];
  return words.map((one) => fill[one] ?? filled(one, fill)).filter((one) => one !== '');
}

function filled(word: string, fill: Record<string, string>): string {
  const plain = word.replace(/^['"]|['"]$/g, '');
  return Object.entries(fill).reduce((text, [place, value]) => text.replace(place, value), plain);
}

const cliOf =
  ({ taskQueue }: Pick<Orders, 'taskQueue'>, scope = '') =>
  (...args: string[]) =>
    runCli(args, {
      TEMPORAL_ADDRESS: temporalAddress(),
      STEADFAST_TASK_QUEUE: taskQueue,
      STEADFAST_KEY_SCOPE: scope,
    });

const { id: transactionId } = transferRecord();

const accepted = { id: transactionId, state: 'INITIATED' };
const noFunds = new RefusedError('400: no funds', { status: 400, code: 155258 });
/** A service that loses an answer and refuses the next try, so that nobody knows what it did. */
const losing = () =>
  scriptedCustody({
    createTransfer: (_, call) => [new NoAnswerError('lost'), noFunds][call - 1] ?? accepted,
  });
const settlingForLong = () =>
  scriptedCustody({ getTransaction: () => ({ transaction: transferRecord({ state: 'SENT' }) }) });

describe('an order from a terminal', () => {
  test.each([
    [['transfer', '--amuont', '5']],
    [['payout', 'retry']],
    [['schedule', 'pause', 'rent']],
    [['pay']],
  ])('that is misspelt names the help that there is: %j', async (args) => {
    const refused = await runCli(args);
    expect(refused.code).toBe(2);
    const help = await runCli(commandIn(refused.stderr).map((word) => word.replace(/\.$/, '')));
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: steadfast') });
  });

  test('without an id is carried out under one such as the refusal gives', async () => {
    const cli = cliOf(await serve(scriptedCustody({})));
    const flags = ['--from', sender.id, '--to', order.to, '--amount', '5', '--token', 'USDC'];
    const refused = await cli('transfer', ...flags);
    const [, example = ''] = /such as (\S+):/.exec(refused.stderr.replace(/:1: /, ':1 ')) ?? [];
    const { code } = await cli('transfer', ...flags, '--id', `${example}-${randomUUID()}`);
    expect({ code, refused: refused.code }).toEqual({ code: 0, refused: 2 });
  });

  test('that is too large for an order file is paid by the command that the refusal names', async () => {
    const lines = join(folder, 'lines.json');
    const line = (at: number) => ({ lineId: `a-${at}`, to: order.to, amount: '1', token: 'USDC' });
    writeFileSync(lines, JSON.stringify(Array.from({ length: 20_000 }, (_, at) => line(at))));
    const refused = await runCli(['transfer', '--id', 'a', '--file', lines]);
    const [command = ''] = commandIn(refused.stderr, { word: 'payout' });
    const flags = ['--id', 'a', '--wallet', sender.id, '--dry-run'];
    const { code } = await runCli([command.replace(/\W+$/, ''), lines, ...flags]);
    expect({ code, refused: refused.code }).toEqual({ code: 0, refused: 2 });
  });
});

describe.each(['', 'shop'])('an order of the scope "%s"', (scope) => {
  const orderIn = async (custody: ReturnType<typeof scriptedCustody>) => {
    const orders = await serve(custody);
    const cli = cliOf(orders, scope);
    const id = newId();
    const flags = ['--from', sender.id, '--to', order.to, '--amount', '5', '--token', 'USDC'];
    const start = (...more: string[]) => cli('transfer', ...flags, '--id', id, ...more);
    const workflowId = scope === '' ? id : `${scope}:${id}`;
    const shows = (status: string) => orders.progress(workflowId, (one) => one.status === status);
    return { cli, id, start, shows };
  };

  test('that is paused goes on by what pause says, and by what status says', async () => {
    const { cli, id, start, shows } = await orderIn(settlingForLong());
    await start('--no-wait');
    await shows('Settling');
    const paused = await cli('pause', id, '--reason', 'they called');
    expect((await cli(...commandIn(paused.stdout))).stdout).toContain('goes on');
    await cli('pause', id, '--reason', 'they called again');
    const status = await cli('status', id);
    expect((await cli(...commandIn(status.stdout))).stdout).toContain('goes on');
    const cancelled = await cli('cancel', id, '--reason', 'no more');
    expect(commandIn(cancelled.stdout)).toEqual(['watch', id]);
  });

  test('that is waited for no more is followed by what the command says', async () => {
    const { cli, start, shows } = await orderIn(settlingForLong());
    const left = await start('--timeout', '1s');
    await shows('Settling');
    const status = await cli(...commandIn(left.stdout));
    expect(status).toMatchObject({ code: 4, stdout: expect.stringContaining('accepted as') });
  });

  test.each([
    ['was accepted', 'completed', { '<transaction id or hash>': transactionId }],
    ['never was', 'noEffect', { '"how you know"': 'they say so' }],
  ])('that is unknown is decided by what status says: it %s', async (_, finding, fill) => {
    const { cli, start, shows } = await orderIn(losing());
    const parked = await start();
    expect(parked.code).toBe(3);
    const status = await cli(...commandIn(parked.stdout));
    const words = new RegExp(`steadfast (resolve .*--finding ${finding}.*)`).exec(status.stdout);
    const decided = await cli(...commandIn(`steadfast ${words?.[1]}`, { fill }));
    expect(decided).toMatchObject({ code: 0, stderr: '' });
    await shows('Done');
  });
});

describe.each(['', 'shop'])('a payout of the scope "%s"', (scope) => {
  test('that is not sealed is paid by what status says', async () => {
    const till = openTill();
    till.settings.held = '0.01';
    const cli = cliOf(await serve(till.custody), scope);
    const lines = join(folder, `unsealed${scope}.csv`);
    writeFileSync(lines, `id,to,amount,token\na,${order.to},5,USDC\n`);
    const payoutId = randomUUID();
    const id = scope === '' ? `payout:${payoutId}` : `${scope}:payout:${payoutId}`;
    const from = ['--wallet', String(till.wallets[0]?.id)];
    await cli('payout', lines, '--id', payoutId, ...from);
    const status = await cli('status', id);
    const again = commandIn(status.stdout, { word: 'payout', fill: { '<file>': lines, '…': '' } });
    expect(again).toEqual(['payout', lines, '--id', id]);
    till.settings.held = '100';
    const paid = await cli(...again, ...from);
    expect(paid).toMatchObject({ code: 0, stderr: expect.stringContaining('Attached to it.') });
    const results = await cli('payout', 'results', id);
    expect(results).toMatchObject({ code: 0, stdout: expect.stringContaining('paid') });
  });

  test('that is cancelled is continued by what cancel says', async () => {
    const till = openTill();
    till.settings.settleMs = 600_000;
    const orders = await serve(till.custody);
    const cli = cliOf(orders, scope);
    const file = join(folder, `left${scope}.json`);
    const line = (at: number) => ({
      lineId: `${at}`,
      to: order.to,
      amount: `${at}`,
      token: 'USDC',
    });
    const [wallet] = till.wallets;
    const paying = { wallets: [wallet?.id], lines: [1, 2, 3].map(line), openMax: 1, batch: false };
    writeFileSync(file, JSON.stringify(paying));
    const payoutId = randomUUID();
    const id = scope === '' ? `payout:${payoutId}` : `${scope}:payout:${payoutId}`;
    await cli('payout', '--file', file, '--id', payoutId, '--no-wait');
    while (till.taken.length === 0) await sleep(50);
    const cancelled = await cli('cancel', id, '--reason', 'not yet', '--yes');
    till.settings.settleMs = 10;
    till.settle();
    await orders.client.workflow.getHandle(id).result();
    const paid = await cli(...commandIn(cancelled.stdout, { word: 'payout' }));
    expect(paid).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3 paid') });
  });
});

describe.each(['', 'shop'])('a schedule of the scope "%s"', (scope) => {
  test('is looked at, goes on, and catches up by what the commands say', async () => {
    const orders = await serve(scriptedCustody({}));
    const cli = cliOf(orders, scope);
    const file = join(folder, `rent${scope}.json`);
    writeFileSync(file, JSON.stringify({ ...order, reference: 'rent {period}' }));
    const id = `rent-${randomUUID()}`;
    const flags = ['--kind', 'transferStablecoin', '--file', file, '--period', 'yyyy-MM'];
    const create = ['schedule', 'create', id, ...flags, '--cron', '0 9 1 * *'];
    const done = async (...args: string[]) => {
      const { code, stdout, stderr } = await cli(...args);
      expect({ args, code, stderr }).toMatchObject({ code: 0 });
      return stdout;
    };
    await done(...create);
    const refused = await cli(...create);
    expect(refused.code).toBe(2);
    const [, look = ''] = /steadfast (schedule describe [\w-]+)"/.exec(refused.stderr) ?? [];
    expect(await done(...look.split(' '))).toContain(id);
    const paused = await done('schedule', 'pause', id, '--reason', 'empty');
    const described = await done('schedule', 'describe', id);
    expect(commandIn(described)).toEqual(commandIn(paused));
    const resumed = await done(...commandIn(paused));
    const early = commandIn(resumed, { fill: { '<day>': '2026-01-01' } });
    const asked = await cli(...early);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--before-creation') });
    const backfilled = await done(...early, '--before-creation');
    expect(await done(...commandIn(backfilled))).toContain(id);
    const triggered = await done(
      'schedule',
      'trigger',
      id,
      '--period',
      '2026-02',
      '--before-creation',
    );
    await done(...commandIn(triggered));
    await done('schedule', 'delete', id);
  });
});

test('a schedule without room for a file of lines names a payout that works', async () => {
  const file = join(folder, 'many.csv');
  const row = (_: unknown, at: number) => `l${at},0x${String(at + 1).padStart(40, '1')},1,USDC`;
  writeFileSync(file, ['lineId,to,amount,token', ...Array.from({ length: 2_501 }, row)].join('\n'));
  const when = ['--cron', '0 9 1 * *', '--period', 'yyyy-MM', '--wallet', sender.id];
  const kind = ['--kind', 'payout', '--file', file];
  const refused = await runCli(['schedule', 'create', 'pay', ...kind, ...when]);
  const fill = { '<period>': '2026-01', '<id>': sender.id };
  const paid = await runCli([...commandIn(refused.stderr, { fill }), '--dry-run']);
  expect(paid).toMatchObject({ code: 0, stderr: expect.stringContaining('2,501 lines') });
});

describe('what the doctor finds at Temporal', () => {
  const namespace = `ways-${randomUUID()}`;
  const env = { TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace };
  const examine = async () => (await runCli(['doctor'], env)).stdout;
  const temporal = async (args: readonly string[]): Promise<void> => {
    const { PATH } = process.env;
    const options = { env: { ...env, PATH, HOME: folder } };
    try {
      const program = promisify(execFile)(await temporalServer(), [...args], options);
      program.child.stdin?.end();
      await program;
    } catch (error) {
      // Temporal's frontend learns of a new namespace after a moment.
      if (!String(error).includes('is not found')) throw error;
      await sleep(200);
      await temporal(args);
    }
  };

  test('is mended by the commands that it names', async () => {
    await temporal(commandIn(await examine(), { program: 'temporal' }));
    await temporal(['operator', 'namespace', 'update', '-n', namespace, '--retention', '1d']);
    const forgetful = await examine();
    expect(forgetful).toContain('forgotten after 1 day');
    await temporal(commandIn(forgetful, { program: 'temporal', word: 'operator namespace' }));
    const lacking = await examine();
    expect(lacking).toContain('✓ Retention: 30 days');
    const create = commandIn(lacking, { program: 'temporal', word: 'operator search-attribute' });
    await temporal(create.with(create.indexOf('Keyword'), 'Text'));
    const mistyped = await examine();
    expect(mistyped).toContain('with another type than Keyword');
    await temporal(commandIn(mistyped, { program: 'temporal', word: 'operator search-attribute' }));
    const removed = await examine();
    expect(removed).toContain('"steadfast doctor --fix"');
    await temporal(commandIn(removed, { program: 'temporal', word: 'operator search-attribute' }));
    expect(await examine()).toContain('✓ Search attributes: all 5 are registered');
  });
});

describe('a wallet that holds too little', () => {
  const sandbox = inSandbox();

  test('holds enough once the command of the refusal was run', async () => {
    const [wallet, other] = await Promise.all([sandbox.fundedWallet(), sandbox.fundedWallet()]);
    const { address } = other;
    await sandbox.client.requestDrip({ address, blockchain: other.blockchain, usdc: true });
    const cli = cliOf(await serve(sandbox.client, { baseUrl: sandbox.baseUrl }));
    const flags = ['--from', wallet.id, '--to', order.to, '--amount', '30', '--token', 'USDC'];
    const id = newId();
    const refused = await cli('transfer', ...flags, '--id', id);
    expect(refused.code).toBe(1);
    const command = commandIn(refused.stdout, { fill: { '<wallet>': other.id } });
    expect(await cli(...command)).toMatchObject({ code: 0 });
    expect(await cli('transfer', ...flags, '--id', id)).toMatchObject({ code: 0 });
  });
});

test('a key of private payloads is made, and its file closed, as the refusals say', async () => {
  const refusal = (env: NodeJS.ProcessEnv): string => {
    try {
      return String(readCodecKeys(env).length);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  const quoted = (message: string): string[] => /"(\w+ .*)"/.exec(message)?.[1]?.split(' ') ?? [];
  const [openssl = '', ...args] = quoted(refusal({ STEADFAST_CODEC_KEYS: 'secret' }));
  const { stdout } = await promisify(execFile)(openssl, args);
  const file = join(folder, 'keys');
  writeFileSync(file, `first:${stdout.trim()}`, { mode: 0o644 });
  const [chmod = '', mode = ''] = quoted(refusal({ STEADFAST_CODEC_KEYS_FILE: file }));
  await promisify(execFile)(chmod, [mode, file]);
  expect(refusal({ STEADFAST_CODEC_KEYS_FILE: file })).toBe('1');
});

test('a number out of bounds names its flag, or its variable, and the bounds', () => {
  const sandbox = (env: object, flags: object) => () => readSandboxConfig({ ...env }, flags);
  const bounds = 'must be a port number, from 0 to 65535.';
  expect(sandbox({}, { port: '65536' })).toThrow(`--port: ${bounds}`);
  expect(sandbox({ SANDBOX_PORT: 'any' }, {})).toThrow(`SANDBOX_PORT: ${bounds}`);
  expect(sandbox({}, { settleMs: '-1' })).toThrow('--settle-ms: must be a whole number of milli');
  expect(sandbox({ SANDBOX_PORT: 'any' }, { port: '0' })).not.toThrow();
  const role = () => readWorkerConfig(['signs'], {});
  expect(role).toThrow('--role: must be a list out of workflows,reads,writes.');
});
