import { join } from 'node:path';
import { bareEnvironment } from './bareEnvironment';
import type { Child } from './childProcess';
import { startReady } from './startReady';

export type ProgramOptions = {
  /** The program's own variables. It sees nothing else of the caller's environment. */
  env: Record<string, string>;
  /** Sees every line the program prints. */
  onLine?: (line: string) => void;
  /** Stops the program while it still starts. */
  signal?: AbortSignal;
};

/** The sandbox as a process. `baseUrl` is the value for `CUSTODY_BASE_URL`. */
export type LocalSandbox = Child & { baseUrl: string };

/** The sandbox starts within seconds. With a cold cache, it compiles contracts first. */
const readyTimeoutMs = 240_000;

/** Starts the sandbox as a process of its own. Resolves once it answers calls. */
export async function spawnSandbox({ env, ...options }: ProgramOptions): Promise<LocalSandbox> {
  const { child, line } = await startReady({
    ...options,
    name: 'The sandbox',
    command: steadfast('sandbox'),
    env: bareEnvironment(env),
    ready: /^Sandbox ready: (\S+)$/,
    timeoutMs: readyTimeoutMs,
  });
  return { ...child, baseUrl: line[1] ?? '' };
}

/** The command that runs our own CLI, whatever the working directory. */
export function steadfast(command: string): [string, ...string[]] {
  return [process.execPath, join(__dirname, '..', '..', 'scripts', 'steadfast.js'), command];
}
