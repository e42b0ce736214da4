import { bareEnvironment } from './bareEnvironment';
import type { Child } from './childProcess';
import { type ProgramOptions, steadfast } from './spawnSandbox';
import { startReady } from './startReady';

const readyTimeoutMs = 60_000;

/** Starts the receiver of notices as a process of its own. Resolves once it listens. */
export async function startWebhooks({ env, ...options }: ProgramOptions): Promise<Child> {
  const { child } = await startReady({
    ...options,
    name: 'The receiver of notices',
    command: steadfast('webhooks'),
    env: bareEnvironment(env),
    ready: /^Webhooks ready/,
    timeoutMs: readyTimeoutMs,
  });
  return child;
}
