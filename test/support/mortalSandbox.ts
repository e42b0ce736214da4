import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../../src/childProcess';
import { createCustodyClient } from '../../src/custody/client';
import type { CustodyApi } from '../../src/custody/endpoints';

const program = join(__dirname, '..', '..', 'scripts', 'steadfast.js');
const apiKey = 'TEST_API_KEY:survival:secret';
const entitySecret = '5eed'.repeat(16);

/** The sandbox as a process that may be killed and started again, at the same address. */
export type MortalSandbox = {
  client: CustodyApi;
  rpcUrl: string;
  /** Resolves when the newest process answers. */
  ready(): Promise<void>;
  /** SIGKILL for the chain's node alone; false when there is none to be found. */
  killNode(): Promise<boolean>;
  /** SIGKILL for the process, and a new one at once. */
  killProcess(): Promise<void>;
  /** All that the processes have printed. */
  output(): string;
  stop(): Promise<void>;
};

/** Starts it in this folder, on a port that stays its own. */
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
  const { port, origin } = new URL(baseUrl);
  const info = async (): Promise<{ nodePid: number; rpcUrl: string }> =>
    (await fetch(`${origin}/_sandbox/info`)).json() as never;
  return {
    client: createCustodyClient({ baseUrl, apiKey, entitySecret, deadlineMs: 60_000 }),
    rpcUrl: (await info()).rpcUrl,
    ready: async () => {
      await readyAt(child);
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
      await sleep(0);
    },
    output: () => printed.join('\n'),
    stop: () => child.stop(),
  };
}

/** The program in a shell that guards it. */
function programUnder(pid: number): number {
  return Number(execFileSync('pgrep', ['-P', String(pid), 'anvil'], { encoding: 'utf8' }));
}
