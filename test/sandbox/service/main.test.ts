import childProcess, { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFundedWallet, settled, startTestSandbox, transferOf } from '../../support/sandbox';

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

  it('that finds its port in use leaves nothing running, and its folder free', async () => {
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
    // On a busy machine a node may have begun to listen before it is killed.
    await expect(startTestSandbox({ dataDir })).rejects.toThrow(/anvil ended with|does not answer/);
    jest.restoreAllMocks();
    await (await startTestSandbox({ dataDir })).stop();
  });
});

/** Every chain's node that is started from here on. Each is shown at once, too. */
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
