import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCustodyClient } from '../../src/custody/client';
import { type RunningSandbox, startSandbox } from '../../src/local/sandbox';

const folder = mkdtempSync(join(tmpdir(), 'steadfast-sandbox-'));
const quick = { settleMs: 50, rateLimit: 'off' } as const;
const running: RunningSandbox[] = [];
afterAll(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function started(options = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ ...quick, ...options });
  running.push(sandbox);
  return sandbox;
}

async function addSet(sandbox: RunningSandbox, name: string): Promise<void> {
  const idempotencyKey = crypto.randomUUID();
  await createCustodyClient(sandbox).createWalletSet({ idempotencyKey, name });
}

async function names(sandbox: RunningSandbox): Promise<(string | undefined)[]> {
  const { walletSets } = await createCustodyClient(sandbox).listWalletSets({});
  return walletSets.map(({ name }) => name).sort();
}

describe('a sandbox that a test starts', () => {
  it('has the keys that it says, also where a test gives variables that are not set', async () => {
    const sandbox = await started({ apiKey: undefined, entitySecret: undefined });
    await addSet(sandbox, 'Tills');
    expect(await names(sandbox)).toEqual(['Tills']);
  });

  it('is one of several, each with keys and records of its own', async () => {
    const lines: string[] = [];
    const onLine = (line: string) => lines.push(line);
    const both = await Promise.all([started({ onLine }), started({ onLine })]);
    await Promise.all(both.map((sandbox, index) => addSet(sandbox, `of ${index}`)));
    expect(await Promise.all(both.map(names))).toEqual([['of 0'], ['of 1']]);
    expect(new Set(both.map(({ origin }) => origin)).size).toBe(2);
    expect(new Set(both.map(({ apiKey }) => apiKey)).size).toBe(2);
    expect(lines.sort()).toEqual(both.map(({ baseUrl }) => `Sandbox ready: ${baseUrl}`).sort());
  });

  it('goes back to a snapshot, after which its clients still work', async () => {
    const sandbox = await started();
    await addSet(sandbox, 'before');
    const client = createCustodyClient(sandbox);
    const id = await sandbox.snapshot();
    for (const name of ['one', 'two']) {
      await addSet(sandbox, name);
      expect(await names(sandbox)).toEqual(['before', name].sort());
      await sandbox.restore(id);
      expect((await client.listWalletSets({})).walletSets).toHaveLength(1);
    }
    await expect(sandbox.restore(crypto.randomUUID())).rejects.toThrow('There is no snapshot');
  });

  it('begins from the file of another, with keys of its own', async () => {
    const first = await started();
    await addSet(first, 'kept');
    const snapshot = join(folder, 'kept.db');
    await first.snapshot(snapshot);
    expect(statSync(snapshot).mode & 0o077).toBe(0);
    await first.stop();
    const second = await started({ snapshot });
    expect(second.apiKey).not.toBe(first.apiKey);
    await addSet(second, 'new');
    expect(await names(second)).toEqual(['kept', 'new']);
  });

  it('keeps records and keys in a folder, where one is named', async () => {
    const dataDir = join(folder, 'data');
    const first = await startSandbox({ ...quick, dataDir });
    await addSet(first, 'kept');
    await first[Symbol.asyncDispose]();
    const second = await started({ dataDir });
    expect(second).toMatchObject({ apiKey: first.apiKey, entitySecret: first.entitySecret });
    expect(await names(second)).toEqual(['kept']);
  });

  it('that cannot start says why, and leaves nothing running', async () => {
    const [first = await started()] = running;
    const port = Number(new URL(first.origin).port);
    await expect(startSandbox({ port })).rejects.toThrow(/is in use, maybe by another sandbox/);
    await expect(startSandbox({ apiKey: 'mine' })).rejects.toThrow(/SANDBOX_API_KEY: must be/);
  });

  it('ends when the process that has started it is killed', async () => {
    const module = JSON.stringify(join(__dirname, '../../src/local/sandbox'));
    const hook = JSON.stringify(join(__dirname, '../../scripts/typescript'));
    const program = `
      require(${hook});
      const { startSandbox } = require(${module});
      startSandbox().then(({ origin }) => console.log(origin));
    `;
    const child = spawn(process.execPath, ['-e', program], { cwd: join(__dirname, '../..') });
    const origin = await new Promise<string>((resolve) => {
      child.stdout.once('data', (data) => resolve(String(data).trim()));
    });
    const { nodePid } = (await (await fetch(`${origin}/_sandbox/info`)).json()) as never;
    child.kill('SIGKILL');
    const isAnswering = () =>
      fetch(`${origin}/_sandbox/info`).then(...([() => true, () => false] as const));
    while ((await isAnswering()) || existsSync(`/proc/${nodePid}`)) await sleep(50);
  });
});
