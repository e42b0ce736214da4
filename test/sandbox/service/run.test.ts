import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { runSandbox } from '../../../sandbox/service/run';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'steadfast-'));
});
const { isTTY } = process.stdout;
afterEach(async () => {
  process.stdout.isTTY = isTTY;
  jest.restoreAllMocks();
  await rm(dataDir, { recursive: true });
});

/** Everything that the program does to its process, which goes on instead of ending. */
function watched({ isTerminal = false, env = {} } = {}) {
  process.stdout.isTTY = isTerminal;
  jest.replaceProperty(process, 'env', { ...process.env, SANDBOX_PORT: '0', ...env });
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const exits: unknown[] = [];
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    exits.push(code);
    return undefined as never;
  });
  return {
    exits,
    out: () => out.mock.calls.flat().join(''),
    err: () => err.mock.calls.flat().join(''),
    end: async (signal: 'SIGINT' | 'SIGTERM', count = 1) => {
      process.emit(signal);
      while (exits.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
}

/** The service's facts, read at the address of the first line. */
async function info(printed: string) {
  const [, baseUrl = ''] = printed.match(/^Sandbox ready: (\S+)$/m) ?? [];
  return (await fetch(new URL('/_sandbox/info', baseUrl))).json() as Promise<{
    nodePid: number;
    settings: object;
  }>;
}

describe('the sandbox program', () => {
  it('on a terminal, tells the secrets that it has made up, and ends at Ctrl-C', async () => {
    const { out, exits, end } = watched({ isTerminal: true });
    await runSandbox();
    expect(out()).toMatch(/^Sandbox ready: http:\S+\/v1\/w3s\n/);
    expect(out()).toMatch(/ {2}export SANDBOX_URL=http:\/\/127\.0\.0\.1:\d+\n/);
    expect(out()).toMatch(/ {2}export SANDBOX_API_KEY=TEST_API_KEY:\w+:\w+\n/);
    expect(out()).toMatch(/ {2}export SANDBOX_ENTITY_SECRET=[0-9a-f]{64}\n/);
    await end('SIGINT');
    expect(exits).toEqual([0]);
  });

  it('on a terminal, does not tell those that it was given', async () => {
    const given = {
      SANDBOX_API_KEY: 'TEST_API_KEY:a:b',
      SANDBOX_ENTITY_SECRET: '5eed'.repeat(16),
    };
    const { out, end } = watched({ isTerminal: true, env: given });
    await runSandbox();
    expect(out()).toContain('export SANDBOX_URL=');
    expect(out()).not.toMatch(/TEST_API_KEY|5eed/);
    await end('SIGTERM');
  });

  it('without a terminal, prints none, and says first how to choose or keep them', async () => {
    const { out, err, end } = watched();
    await runSandbox();
    expect(out()).toMatch(/^Sandbox ready: \S+\n$/);
    expect(err()).toMatch(/^No client can call this sandbox: /);
    expect(err()).toContain(
      'Set SANDBOX_API_KEY and SANDBOX_ENTITY_SECRET. Or set SANDBOX_DATA_DIR:',
    );
    expect(out() + err()).not.toMatch(/TEST_API_KEY:|[0-9a-f]{64}/);
    await end('SIGTERM');
  });

  it('without a terminal, keeps them in its folder', async () => {
    const { out, err, end } = watched();
    await runSandbox({ dataDir });
    expect(out() + err()).toMatch(/^Sandbox ready: \S+\n$/);
    const kept = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
    expect(kept).toMatchObject({ apiKey: expect.stringMatching(/^TEST_API_KEY:/) });
    await end('SIGTERM');
  });

  it('takes flags before variables', async () => {
    const { out, end } = watched({ env: { SANDBOX_SETTLE_MS: '7', SANDBOX_STATES: 'hosted' } });
    await runSandbox({ settleMs: '9', rateLimit: 'off' });
    const { settings } = await info(out());
    expect(settings).toMatchObject({ settleMs: 9, rateLimit: 'off', states: 'hosted' });
    await end('SIGTERM');
  });

  it('says what to do if its port is in use', async () => {
    watched();
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      await expect(runSandbox({ port: String(port) })).rejects.toThrow(
        `SANDBOX_PORT: port ${port} of 127.0.0.1 is in use, maybe by another sandbox. ` +
          'Stop that one, or choose another port: --port 0 uses any free one.',
      );
    } finally {
      other.close();
    }
  });

  it('ends with a sentence when its chain cannot be what it was', async () => {
    const { out, err, exits, end } = watched();
    await runSandbox({ dataDir });
    const { nodePid } = await info(out());
    const database = new Database(join(dataDir, 'sandbox.db'));
    database.prepare('INSERT INTO blocks VALUES (?, ?)').run(9, JSON.stringify({ number: 9 }));
    database.close();
    process.kill(-nodePid, 'SIGKILL');
    while (exits.length < 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(err()).toContain(
      'The chain is lost, so the sandbox ends.\n' +
        'The record of the chain has block 9 where 2 belongs.\n',
    );
    expect(exits).toEqual([1]);
    // The test has kept it from ending: what is left of it ends here.
    await end('SIGTERM', 2);
  });
});
