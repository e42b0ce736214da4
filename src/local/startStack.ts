import { join } from 'node:path';
import type { Child } from './childProcess';
import { freePorts } from './freePorts';
import { limitVariables } from './limitVariables';
import { type LocalKeys, localKeys } from './localKeys';
import { type LocalSandbox, spawnSandbox } from './spawnSandbox';
import { type LocalTemporal, startTemporal, type TemporalOptions } from './startTemporal';
import { startWebhooks } from './startWebhooks';
import { startWorker } from './startWorker';

export type Part = 'temporal' | 'sandbox' | 'worker' | 'webhooks';

export type StackOptions = {
  /** The folder that keeps everything between runs. Without it nothing is kept. */
  dataDir?: string;
  taskQueue?: string;
  temporal?: Pick<TemporalOptions, 'port' | 'uiPort' | 'httpPort' | 'headless'>;
  /** The preferred port. If it is in use, any free port serves. 0 is any. */
  sandboxPort?: number;
  /** More variables for the sandbox, such as SANDBOX_SETTLE_MS. */
  sandboxEnv?: Record<string, string>;
  /** True if the worker reads the sandbox's chain, as receipts, batches and closes need it. */
  readsChain?: boolean;
  /** More variables for the worker, such as CUSTODY_LOOKUP_GRACE_SECONDS. */
  workerEnv?: Record<string, string>;
  /** The preferred port of the receiver of notices. Without it there is none. */
  webhooksPort?: number;
  /** Sees every line that any of them prints. */
  onLine?: (from: Part, line: string) => void;
};

/** The running processes and their shared keys. `worker` is the current one. */
export type StackParts = LocalKeys & {
  temporal: LocalTemporal;
  sandbox: LocalSandbox;
  worker: Child;
  /** Undefined in a stack without one. */
  webhooks: Child | undefined;
  taskQueue: string;
  /** Starts a part that has ended by itself, where it was before. */
  startAgain(part: Part): Promise<void>;
  /** Kills the worker as a crash would, and starts another. */
  replaceWorker(): Promise<void>;
};

/** A local stack from the moment its start begins: it can be stopped at any time, and twice. */
export type Stack = {
  /** Resolves once all of them serve. Rejects, with everything stopped, when one of them fails. */
  ready: Promise<StackParts>;
  /** Stops the receiver and the worker first, so that they can finish. Temporal is the last. */
  stop(): Promise<void>;
};

/** The parts that run or are being started, in the order in which they are stopped. */
type Started = {
  webhooks: Promise<Child> | undefined;
  worker: Promise<Child> | undefined;
  sandbox: Promise<LocalSandbox> | undefined;
  temporal: Promise<LocalTemporal> | undefined;
};
type Plan = {
  options: StackOptions;
  keys: LocalKeys;
  sandboxPort: number;
  webhooksPort: number | undefined;
  taskQueue: string;
  started: Started;
  signal: AbortSignal;
};

const stopGraceMs = 20_000;

/** Starts Temporal, the sandbox, a worker and a receiver, with keys and a queue of their own. */
export function startStack(options: StackOptions = {}): Stack {
  const started: Started = {
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

async function plan(given: Pick<Plan, 'options' | 'started' | 'signal'>): Promise<Plan> {
  const { dataDir, sandboxPort: wish = 4010, taskQueue = 'steadfast' } = given.options;
  const keys = localKeys(dataDir === undefined ? undefined : join(dataDir, 'keys.json'));
  // The port is fixed beforehand, so that the worker need not wait for the sandbox.
  const { webhooksPort: hook } = given.options;
  const [sandboxPort = 0, port] = await freePorts([wish, ...(hook === undefined ? [] : [hook])]);
  given.signal.throwIfAborted();
  const webhooksPort = hook === undefined ? undefined : port;
  return { ...given, keys, sandboxPort, webhooksPort, taskQueue };
}

async function startParts(plan: Plan): Promise<StackParts> {
  const { started, keys, taskQueue } = plan;
  started.temporal = startServer(plan);
  started.sandbox = startService(plan);
  const { temporal, sandbox } = started;
  started.worker = temporal.then((place) => startOurs(plan, place));
  const hasHook = plan.webhooksPort !== undefined;
  started.webhooks = hasHook ? temporal.then((place) => startReceiver(plan, place)) : undefined;
  const { worker, webhooks } = started;
  const [serving, service, ...ours] = await Promise.all([temporal, sandbox, worker, webhooks]);
  const parts: StackParts = {
    ...keys,
    temporal: serving,
    sandbox: service,
    worker: ours[0],
    webhooks: ours[1],
    taskQueue,
    startAgain: (part) => startAgain(plan, { parts, part }),
    async replaceWorker() {
      await parts.worker.kill();
      await parts.startAgain('worker');
    },
  };
  return parts;
}

/** Starts one part where it was before. Its callers know the address. */
async function startAgain(
  plan: Plan,
  { parts, part }: { parts: StackParts; part: Part },
): Promise<void> {
  const { started } = plan;
  const { temporal } = parts;
  const { address } = temporal;
  if (part === 'temporal') {
    started.temporal = startServer(plan, portsOf(temporal));
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
  } else {
    started.webhooks = startReceiver(plan, temporal);
    parts.webhooks = await started.webhooks;
  }
}

function portsOf({ address, uiUrl, httpUrl }: LocalTemporal) {
  const portOf = (url: string): number => Number(new URL(url).port);
  return {
    port: portOf(`http://${address}`),
    ...(uiUrl === undefined ? {} : { uiPort: portOf(uiUrl) }),
    httpPort: portOf(httpUrl),
  };
}

function startServer(plan: Plan, ports: TemporalOptions = {}): Promise<LocalTemporal> {
  const { options, signal } = plan;
  const { dataDir } = options;
  return startTemporal({
    ...options.temporal,
    ...ports,
    ...(dataDir === undefined ? {} : { dataDir: join(dataDir, 'temporal') }),
    ...linesOf(options, 'temporal'),
    signal,
  });
}

function startService(plan: Plan): Promise<LocalSandbox> {
  const { options, signal } = plan;
  return spawnSandbox({ env: sandboxVariables(plan), ...linesOf(options, 'sandbox'), signal });
}

function startOurs(plan: Plan, temporal: Place): Promise<Child> {
  const { options, signal } = plan;
  const env = workerVariables(plan, temporal);
  return startWorker({ env, ...linesOf(options, 'worker'), signal });
}

/** The receiver subscribes by itself once the sandbox answers. */
function startReceiver(plan: Plan, temporal: Place): Promise<Child> {
  const { options, signal, webhooksPort } = plan;
  const env = {
    ...sharedVariables(plan, temporal),
    STEADFAST_WEBHOOKS_PORT: String(webhooksPort),
    STEADFAST_WEBHOOKS_ENDPOINT: `http://127.0.0.1:${webhooksPort}/`,
  };
  return startWebhooks({ env, ...linesOf(options, 'webhooks'), signal });
}

function linesOf(options: StackOptions, from: Part): { onLine?: (line: string) => void } {
  const { onLine } = options;
  return onLine === undefined ? {} : { onLine: (line) => onLine(from, line) };
}

function sandboxVariables({ options, keys, sandboxPort }: Plan): Record<string, string> {
  const { dataDir } = options;
  return {
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_API_KEY: keys.apiKey,
    SANDBOX_ENTITY_SECRET: keys.entitySecret,
    ...(dataDir === undefined ? {} : { SANDBOX_DATA_DIR: join(dataDir, 'sandbox') }),
    ...options.sandboxEnv,
  };
}

type Place = Pick<LocalTemporal, 'address' | 'namespace'>;

function sharedVariables({ keys, sandboxPort }: Plan, temporal: Place): Record<string, string> {
  return {
    CUSTODY_BASE_URL: `http://127.0.0.1:${sandboxPort}/v1/w3s`,
    CUSTODY_API_KEY: keys.apiKey,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  };
}

function workerVariables(plan: Plan, temporal: Place): Record<string, string> {
  const { options, keys, taskQueue, sandboxPort } = plan;
  const chain = { CHAIN_RPC_URL: `http://127.0.0.1:${sandboxPort}/_sandbox/rpc` };
  return {
    ...sharedVariables(plan, temporal),
    ...(options.readsChain === true ? chain : {}),
    CUSTODY_ENTITY_SECRET: keys.entitySecret,
    STEADFAST_TASK_QUEUE: taskQueue,
    ...limitVariables(options.sandboxEnv),
    ...options.workerEnv,
  };
}

async function stopAll({ webhooks, worker, sandbox, temporal }: Started): Promise<void> {
  for (const start of [webhooks, worker, sandbox, temporal]) {
    const child = await start?.catch(() => undefined);
    await child?.stop(stopGraceMs);
  }
}
