import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startStack } from '../../src/stack/startStack';

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

describe('startStack', () => {
  test('starts all three, replaces a worker, and stops everything', async () => {
    stack = startStack(options);
    const parts = await stack.ready;
    const answer = await fetch(new URL('/ping', parts.sandbox.baseUrl));
    expect(answer.status).toBe(200);
    const crashed = parts.worker.pid;
    await parts.replaceWorker();
    const pids = [parts.worker.pid, parts.sandbox.pid, parts.temporal.pid];
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    expect(isRunning(crashed)).toBe(false);
    await Promise.all([stack.stop(), stack.stop()]);
    expect(pids.map(isRunning)).toEqual([false, false, false]);
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
