import { bareEnvironment } from './bareEnvironment';
import type { Child } from './childProcess';
import { type ProgramOptions, steadfast } from './spawnSandbox';
import { startReady } from './startReady';

/** The console as a process. `origin` is its address in browsers. */
export type LocalConsole = Child & { origin: string };

const readyTimeoutMs = 60_000;

/** Starts the console as a process of its own. Resolves once it serves. */
export async function startConsole({ env, ...options }: ProgramOptions): Promise<LocalConsole> {
  const { child, line } = await startReady({
    ...options,
    name: 'The console',
    command: steadfast('console'),
    env: bareEnvironment(env),
    ready: /^Console ready: (\S+)$/,
    timeoutMs: readyTimeoutMs,
  });
  return { ...child, origin: line[1] ?? '' };
}
