import childProcess, { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { runSandbox } from '../../src/sandbox/run';
import { createFundedWallet, settled, startTestSandbox, transferOf } from '../support/sandbox';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(dataDir, { recursive: true });
});

describe('a second sandbox', () => {
  it('is refused the folder that the first one has, which goes on undisturbed', async () => {
    const first = await startTestSandbox({ dataDir });
    try {
      const nodes = watchNodes();
      await expect(startTestSandbox({ dataDir })).rejects.toThrow(
        `SANDBOX_DATA_DIR: another sandbox is running in ${dataDir}. ` +
          'Stop that one, or give this one a folder of its own.',
      );
      expect(nodes).toEqual([]);
      const from = await createFundedWallet(first.client);
      const { id } = await first.client.createTransfer(transferOf(from, from.address));
      expect(await settled(first.client, id)).toMatchObject({ state: 'COMPLETE' });
    } finally {
      await first.stop();
    }
    await (await startTestSandbox({ dataDir })).stop();
  });

  it('that finds its port taken leaves nothing running, and its folder free', async () => {
    const first = await startTestSandbox();
    try {
      const port = Number(new URL(first.origin).port);
      const nodes = watchNodes();
      await expect(startTestSandbox({ dataDir, port })).rejects.toThrow(/EADDRINUSE/);
      expect(nodes.map(hasEnded)).toEqual([true]);
      await (await startTestSandbox({ dataDir })).stop();
    } finally {
      await first.stop();
    }
  });
});

describe('a sandbox that is stopped before it could mine what it has written down', () => {
  it('mines it when it starts again', async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const first = await startTestSandbox({ dataDir });
    const from = await createFundedWallet(first.client, 'EOA');
    const tries = jest.spyOn(first.chain, 'mineBlock').mockRejectedValue(new Error('cut'));
    const { id } = await first.client.createTransfer(transferOf(from, from.address));
    while (tries.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await first.stop();
    const second = await startTestSandbox({ dataDir });
    try {
      expect(await settled(second.client, id)).toMatchObject({ state: 'COMPLETE' });
    } finally {
      await second.stop();
    }
  });
});

describe('a sandbox whose chain dies while it starts', () => {
  it('starts with another node', async () => {
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    let killed = 0;
    watchNodes((node) => {
      killed += 1;
      if (killed < 3) process.kill(-(node.pid ?? 0), 'SIGKILL');
    });
    await (await startTestSandbox({ dataDir })).stop();
    expect(said.mock.calls.flat().join('')).toMatch(/anvil ended with code/);
  });

  it('again and again, fails, and leaves its folder free', async () => {
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    watchNodes((node) => process.kill(-(node.pid ?? 0), 'SIGKILL'));
    await expect(startTestSandbox({ dataDir })).rejects.toThrow(/anvil ended with code/);
    jest.restoreAllMocks();
    await (await startTestSandbox({ dataDir })).stop();
  });
});

describe('the sandbox program', () => {
  it('ends with a sentence when its chain cannot be what it was', async () => {
    jest.replaceProperty(process, 'env', {
      ...process.env,
      SANDBOX_PORT: '0',
      SANDBOX_DATA_DIR: dataDir,
      SANDBOX_RATE_LIMIT: 'off',
      SANDBOX_SETTLE_MS: '50',
    });
    const print = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const say = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const exits: unknown[] = [];
    const exited = new Promise<void>((resolve) => {
      jest.spyOn(process, 'exit').mockImplementation((code) => {
        exits.push(code);
        resolve();
        return undefined as never;
      });
    });
    const nodes = watchNodes();
    await runSandbox();
    expect(print.mock.calls.flat().join('')).toMatch(/^Sandbox ready: http:/);
    const database = new Database(join(dataDir, 'sandbox.db'));
    database.prepare('INSERT INTO blocks VALUES (?, ?)').run(9, JSON.stringify({ number: 9 }));
    database.close();
    process.kill(-(nodes[0]?.pid ?? 0), 'SIGKILL');
    await exited;
    expect(say.mock.calls.flat()).toContain(
      'The chain is lost, so the sandbox ends.\n' +
        'The record of the chain has block 9 where 2 belongs.\n',
    );
    expect(exits).toEqual([1]);
    // The test has kept it from ending: what is left of it ends here.
    process.emit('SIGTERM');
    while (exits.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});

/** Every chain's node that is started from here on; each is shown at once, too. */
function watchNodes(show: (node: ChildProcess) => void = () => {}): ChildProcess[] {
  const nodes: ChildProcess[] = [];
  const { spawn } = childProcess;
  jest.spyOn(childProcess, 'spawn').mockImplementation((...given) => {
    const node = spawn(...given);
    nodes.push(node);
    show(node);
    return node;
  });
  return nodes;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
