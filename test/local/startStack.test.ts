import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '../../src/local/startStack';
import { listenersOf } from '../support/service/listeners';

const options = {
  temporal: { port: 0, headless: true },
  sandboxPort: 0,
  dataDir: mkdtempSync(join(tmpdir(), 'steadfast-stack-')),
};
let stack: Stack | undefined;
afterEach(async () => {
  await stack?.stop();
});
afterAll(() => rmSync(options.dataDir, { recursive: true, force: true }));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const testOnLinux = existsSync('/proc/net/tcp') ? test : test.skip;

describe('startStack', () => {
  testOnLinux('takes calls from this machine alone, with its UI and its chain', async () => {
    const temporal = { port: 0, uiPort: 0, httpPort: 0 };
    stack = startStack({ ...options, temporal });
    const parts = await stack.ready;
    const found = [parts.temporal, parts.sandbox, parts.worker].map(({ pid }) => listenersOf(pid));
    const ports = found.flat().map((listener) => Number(listener.split(':').at(-1)));
    const told = [`http://${parts.temporal.address}`, parts.temporal.uiUrl, parts.sandbox.baseUrl];
    const expected = told.map((url = '') => Number(new URL(url).port));
    expect(ports).toEqual(expect.arrayContaining(expected));
    // The chain's node has one, too.
    expect(found[1]).toHaveLength(2);
    expect(found.flat().filter((listener) => !listener.startsWith('127.0.0.1:'))).toEqual([]);
  });

  testOnLinux('would be found to take calls from elsewhere', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const others = listenersOf(process.pid).filter((one) => !one.startsWith('127.0.0.1:'));
    server.close();
    expect(others).toHaveLength(1);
  });

  test('starts all of them, replaces a worker, and stops everything', async () => {
    stack = startStack({ ...options, webhooksPort: 0 });
    const parts = await stack.ready;
    const answer = await fetch(new URL('/ping', parts.sandbox.baseUrl));
    expect(answer.status).toBe(200);
    const crashed = parts.worker.pid;
    await parts.replaceWorker();
    const { webhooks, worker, sandbox, temporal } = parts;
    const pids = [webhooks, worker, sandbox, temporal].map((child) => child?.pid ?? 0);
    expect(pids.map(isRunning)).toEqual([true, true, true, true]);
    expect(isRunning(crashed)).toBe(false);
    await Promise.all([stack.stop(), stack.stop()]);
    expect(pids.map(isRunning)).toEqual([false, false, false, false]);
  });

  test('can be stopped while it starts', async () => {
    stack = startStack(options);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await stack.stop();
    await expect(stack.ready).rejects.toThrow('The stack was stopped while it started.');
  });

  test('stops the others when one of them does not start', async () => {
    stack = startStack({ ...options, sandboxEnv: { SANDBOX_SETTLE_MS: 'soon' } });
    await expect(stack.ready).rejects.toThrow('SANDBOX_SETTLE_MS');
  });
});
