import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCustodyClient } from '../../../src/custody/client';
import type { CustodyApi } from '../../../src/custody/endpoints';
import { type Child, startChild } from '../../../src/local/childProcess';

const program = join(__dirname, '..', '..', '..', 'scripts', 'steadfast.js');
const apiKey = 'TEST_API_KEY:survival:secret';
const entitySecret = '5eed'.repeat(16);

/** The sandbox as a process that a test kills and restarts at the same address. */
export type MortalSandbox = {
  client: CustodyApi;
  rpcUrl: string;
  /** Resolves when the newest process answers. */
  ready(): Promise<void>;
  /** Sends SIGKILL to the chain's node alone. False when there is none. */
  killNode(): Promise<boolean>;
  /** Sends SIGKILL to the process, and starts a new one at once. */
  killProcess(): Promise<void>;
  /** Everything that the processes printed. */
  output(): string;
  stop(): Promise<void>;
};

/** Starts the sandbox in this folder, on a fixed port. */
export async function startMortalSandbox(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<MortalSandbox> {
  const printed: string[] = [];
  const start = (port: string): Child =>
    startChild({
      command: [process.execPath, program, 'sandbox'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        SANDBOX_PORT: port,
        SANDBOX_DATA_DIR: dataDir,
        SANDBOX_API_KEY: apiKey,
        SANDBOX_ENTITY_SECRET: entitySecret,
        SANDBOX_RATE_LIMIT: 'off',
        ...env,
      },
      onLine: (line) => printed.push(line),
    });
  const readyAt = async (child: Child): Promise<string> => {
    const [, baseUrl = ''] = await child.waitForLine(/^Sandbox ready: (\S+)$/, 60_000);
    return baseUrl;
  };
  let child = start('0');
  const baseUrl = await readyAt(child);
  // Asked once for each process. Later lines may push this one out of those that are kept.
  let isReady: Promise<unknown> = Promise.resolve();
  const { port, origin } = new URL(baseUrl);
  const info = async (): Promise<{ nodePid: number; rpcUrl: string }> =>
    (await fetch(`${origin}/_sandbox/info`)).json() as never;
  return {
    client: createCustodyClient({ baseUrl, apiKey, entitySecret, deadlineMs: 60_000 }),
    rpcUrl: (await info()).rpcUrl,
    ready: async () => {
      await isReady;
    },
    killNode: async () => {
      try {
        const { nodePid } = await info();
        process.kill(programUnder(nodePid), 'SIGKILL');
        return true;
      } catch {
        return false;
      }
    },
    killProcess: async () => {
      await child.kill();
      child = start(port);
      isReady = readyAt(child);
      // The process may be killed before it is ready, and then nobody waits for it.
      isReady.catch(() => {});
      await sleep(0);
    },
    output: () => printed.join('\n'),
    stop: () => child.stop(),
  };
}

/** The process that runs under a guarding shell. */
function programUnder(pid: number): number {
  return Number(execFileSync('pgrep', ['-P', String(pid), 'anvil'], { encoding: 'utf8' }));
}
