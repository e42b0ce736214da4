import { bareEnvironment } from './bareEnvironment';
import type { Child } from './childProcess';
import { type ProgramOptions, steadfast } from './spawnSandbox';
import { startReady } from './startReady';

/** It bundles the workflows and connects before it serves. */
const readyTimeoutMs = 180_000;

/** Starts a worker as a process of its own. Resolves once it serves its queue. */
export async function startWorker({ env, ...options }: ProgramOptions): Promise<Child> {
  const { child } = await startReady({
    ...options,
    name: 'The worker',
    command: steadfast('worker'),
    env: bareEnvironment(env),
    ready: /^Worker ready/,
    timeoutMs: readyTimeoutMs,
  });
  return child;
}
