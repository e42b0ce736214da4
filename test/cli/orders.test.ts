import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { temporalAddress } from '../support/temporal';
import { runCli, startCli } from './runCli';

const wallet = '1f0c2a9e-7b1d-4c8e-9a54-0d6f3b2e8c17';
const to = '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d';
/** A queue that no worker serves: what is started stays where it is. */
const env = () => ({ TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: 'nobody' });

function transfer(id: string, ...more: string[]): string[] {
  const order = ['--from', wallet, '--to', to, '--amount', '5', '--token', 'USDC'];
  return ['transfer', ...order, '--id', id, ...more];
}

it('an order is started once under its id, and nothing else can have that id', async () => {
  const id = `transfer:${randomUUID()}`;
  const first = await runCli(transfer(id, '--no-wait'), env());
  expect(first).toMatchObject({ code: 0, stdout: `${id}\n`, stderr: `Started ${id}.\n` });

  const [again, other, status] = await Promise.all([
    runCli(transfer(id, '--no-wait', '--json'), env()),
    runCli(transfer(id, '--amount', '6', '--no-wait'), env()),
    runCli(['status', id], env()),
  ]);
  expect(JSON.parse(again.stdout)).toMatchObject({ id, start: 'attached', end: 'notAwaited' });
  expect(other.stderr).toContain('belongs to another order: amount was "5", is "6"');
  expect(other.code).toBe(2);
  expect(status.stdout).toContain(`${id} · transferStablecoin · running`);
  expect(status.stdout).toContain('No worker has answered in time.');
  expect(status.code).toBe(4);
});

it('an id without its word is refused for a new order where the same one is there with it', async () => {
  const [name, other] = [randomUUID(), randomUUID()];
  for (const id of [`transfer:${name}`, `mint:${other}`, other]) {
    expect(await runCli(transfer(id, '--no-wait'), env())).toMatchObject({ code: 0 });
  }
  for (const more of ['--no-wait', '--dry-run']) {
    expect(await runCli(transfer(name, more), env())).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: --id: transfer:${name} is there. Give its id in full, or another one.\n`,
    });
  }
  // An order that has such an id goes on under it.
  await runCli(transfer(`transfer:${other}`, '--no-wait'), env());
  const again = await runCli(transfer(other, '--no-wait'), env());
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Attached to it.') });
});

it('when the time to wait is up, it says that the order goes on', async () => {
  const id = `transfer:${randomUUID()}`;
  const { code, stdout } = await runCli(transfer(id, '--timeout', '1s'), env());
  expect(stdout).toContain(`The time to wait is up. ${id} goes on.`);
  expect(code).toBe(4);
});

it('at Ctrl-C it says that the order goes on and how to follow it', async () => {
  const id = `transfer:${randomUUID()}`;
  const { child, ended } = startCli(transfer(id), env());
  child.stderr.on('data', (chunk) => {
    if (String(chunk).includes('Started')) child.kill('SIGINT');
  });
  const { code, stdout } = await ended;
  expect(stdout).toBe(
    `Stopped waiting. ${id} goes on. Follow it with: npx --no-install steadfast status ${id}\n` +
      `Wait for it again, which pays nothing twice: npx --no-install steadfast ${transfer(id).join(' ')}\n`,
  );
  expect(code).toBe(4);
});

it('at Ctrl-C before Temporal was reached it starts nothing', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const id = `transfer:${randomUUID()}`;
  const { child, ended } = startCli(transfer(id), { TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
  silent.once('connection', () => child.kill('SIGINT'));
  const { code, stderr } = await ended;
  silent.close();
  expect(stderr).toBe(`Stopped before ${id} was started: nothing was sent.\n`);
  expect(code).toBe(4);
});

it('when nobody reads on, as behind "head", it stops waiting, and the order has not failed', async () => {
  const { child, ended } = startCli(transfer(`transfer:${randomUUID()}`), env());
  child.stderr.on('data', (chunk) => {
    if (!String(chunk).includes('Started')) return;
    child.stdout.destroy();
    child.stderr.destroy();
  });
  expect((await ended).code).toBe(4);
});

it('an id, an address and a namespace that do not exist are one sentence each', async () => {
  const [unknown, away, namespace] = await Promise.all([
    runCli(['status', 'transfer:none'], env()),
    runCli(['status', 'transfer:none'], { TEMPORAL_ADDRESS: '127.0.0.1:1' }),
    runCli(transfer('transfer:a', '--no-wait'), { ...env(), TEMPORAL_NAMESPACE: 'nowhere' }),
  ]);
  expect(unknown.stderr).toBe('Error: id: Temporal knows no order "transfer:none".\n');
  expect(away.stderr).toContain('cannot be reached at 127.0.0.1:1 (TEMPORAL_ADDRESS)');
  expect(namespace.stderr).toBe(
    'Error: TEMPORAL_NAMESPACE: Temporal has no namespace "nowhere". Set it to one that is there, ' +
      'or create it: temporal operator namespace create -n nowhere --retention 30d\n',
  );
  expect([unknown, away, namespace].map(({ code }) => code)).toEqual([2, 2, 2]);
});
