import { join } from 'node:path';
import type { Child } from './childProcess';
import { freePorts } from './freePorts';
import { type LocalKeys, localKeys } from './localKeys';
import type { LocalSandbox } from './spawnSandbox';
import type { LocalConsole } from './startConsole';
import {
  type StackOptions,
  type StackPart,
  type StackPlan,
  type StartedParts,
  startConsolePart,
  startOurs,
  startReceiver,
  startServer,
  startService,
} from './startPart';
import type { LocalTemporal } from './startTemporal';

/** The running processes and their shared keys. `worker` is the current one. */
export type StackParts = LocalKeys & {
  temporal: LocalTemporal;
  sandbox: LocalSandbox;
  worker: Child;
  /** Undefined in a stack without one. */
  webhooks: Child | undefined;
  /** Undefined in a stack without one. */
  console: LocalConsole | undefined;
  taskQueue: string;
  /** Starts a part that has ended by itself, where it was before. */
  startAgain(part: StackPart): Promise<void>;
  /** Kills the worker as a crash would, and starts another. */
  replaceWorker(): Promise<void>;
  /** Stops the worker, and starts it with more variables, such as those of a policy. */
  restartWorker(more?: Record<string, string>): Promise<void>;
};

/** A local stack from the moment its start begins: it can be stopped at any time, and twice. */
export type Stack = {
  /** Resolves once all of them serve. Rejects, with everything stopped, when one of them fails. */
  ready: Promise<StackParts>;
  /** Stops the receiver and the worker first, so that they can finish. Temporal is the last. */
  stop(): Promise<void>;
};

const stopGraceMs = 20_000;

/** Starts Temporal, the sandbox, a worker and what else is wanted, with keys of their own. */
export function startStack(options: StackOptions): Stack {
  const started: StartedParts = {
    console: undefined,
    webhooks: undefined,
    worker: undefined,
    sandbox: undefined,
    temporal: undefined,
  };
  const abort = new AbortController();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    abort.abort(new Error('The stack was stopped while it started.'));
    stopping ??= stopAll(started);
    return stopping;
  };
  const ready = plan({ options, started, signal: abort.signal })
    .then(startParts)
    .catch(async (error) => {
      await stop();
      throw error;
    });
  // A caller that only stops the stack need not wait for `ready`.
  ready.catch(() => {});
  return { ready, stop };
}

async function plan(given: Pick<StackPlan, 'options' | 'started' | 'signal'>): Promise<StackPlan> {
  const { dataDir, sandboxPort: wish = 4010, taskQueue = 'steadfast' } = given.options;
  const keys = localKeys(dataDir === undefined ? undefined : join(dataDir, 'keys.json'));
  const { webhooksPort: hook, console: pages } = given.options;
  const [sandboxPort = 0, hookPort, pagesPort] = await freePorts([
    wish,
    hook ?? 0,
    pages?.port ?? 0,
  ]);
  given.signal.throwIfAborted();
  const webhooksPort = hook === undefined ? undefined : hookPort;
  const consolePort = pages === undefined ? undefined : pagesPort;
  return { ...given, keys, sandboxPort, webhooksPort, consolePort, taskQueue };
}

async function startParts(plan: StackPlan): Promise<StackParts> {
  const { started, keys, taskQueue } = plan;
  const temporal = startServer(plan);
  const sandbox = startService(plan);
  const worker = temporal.then((place) => startOurs(plan, place));
  const hasHook = plan.webhooksPort !== undefined;
  const webhooks = hasHook ? temporal.then((place) => startReceiver(plan, place)) : undefined;
  const hasPages = plan.consolePort !== undefined;
  const pages = hasPages ? temporal.then((place) => startConsolePart(plan, place)) : undefined;
  Object.assign(started, { temporal, sandbox, worker, webhooks, console: pages });
  const all = await Promise.all([temporal, sandbox, worker, webhooks, pages]);
  const parts: StackParts = {
    ...keys,
    temporal: all[0],
    sandbox: all[1],
    worker: all[2],
    webhooks: all[3],
    console: all[4],
    taskQueue,
    startAgain: (part) => startAgain(plan, { parts, part }),
    async replaceWorker() {
      await parts.worker.kill();
      await parts.startAgain('worker');
    },
    async restartWorker(more = {}) {
      const { options } = plan;
      plan.options = { ...options, workerEnv: { ...options.workerEnv, ...more } };
      await parts.worker.stop(stopGraceMs);
      await parts.startAgain('worker');
    },
  };
  return parts;
}

/** Starts one part where it was before. Its callers know the address. */
async function startAgain(
  plan: StackPlan,
  { parts, part }: { parts: StackParts; part: StackPart },
): Promise<void> {
  const { started } = plan;
  const { temporal } = parts;
  const { address } = temporal;
  if (part === 'temporal') {
    started.temporal = startServer(plan, temporal);
    parts.temporal = await started.temporal;
    if (parts.temporal.address === address) return;
    throw new Error(`Temporal cannot be started again: another program listens at ${address}.`);
  }
  if (part === 'sandbox') {
    started.sandbox = startService(plan);
    parts.sandbox = await started.sandbox;
  } else if (part === 'worker') {
    started.worker = startOurs(plan, temporal);
    parts.worker = await started.worker;
  } else if (part === 'webhooks') {
    started.webhooks = startReceiver(plan, temporal);
    parts.webhooks = await started.webhooks;
  } else {
    started.console = startConsolePart(plan, temporal);
    parts.console = await started.console;
  }
}

async function stopAll({ console: pages, webhooks, worker, sandbox, temporal }: StartedParts) {
  for (const start of [pages, webhooks, worker, sandbox, temporal]) {
    const child = await start?.catch(() => undefined);
    await child?.stop(stopGraceMs);
  }
}
