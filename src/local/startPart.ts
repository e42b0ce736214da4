import { join } from 'node:path';
import { createCustodyClient } from '../custody/client';
import type { Child } from './childProcess';
import { limitVariables } from './limitVariables';
import type { LocalKeys } from './localKeys';
import { type LocalSandbox, spawnSandbox } from './spawnSandbox';
import { type LocalConsole, startConsole } from './startConsole';
import { type LocalTemporal, startTemporal, type TemporalOptions } from './startTemporal';
import { startWebhooks } from './startWebhooks';
import { startWorker } from './startWorker';

export type StackPart = 'temporal' | 'sandbox' | 'worker' | 'webhooks' | 'console';

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
  /** The preferred port of the console, and more of its variables. Without it there is none. */
  console?: { port: number; env: Record<string, string> };
  /** Sees every line that any of them prints. */
  onLine?: (from: StackPart, line: string) => void;
};

/** The parts that run or are being started, in the order in which they are stopped. */
export type StartedParts = {
  console: Promise<LocalConsole> | undefined;
  webhooks: Promise<Child> | undefined;
  worker: Promise<Child> | undefined;
  sandbox: Promise<LocalSandbox> | undefined;
  temporal: Promise<LocalTemporal> | undefined;
};

/** A stack that is started: its ports are fixed beforehand, so that parts need not wait. */
export type StackPlan = {
  options: StackOptions;
  keys: LocalKeys;
  sandboxPort: number;
  webhooksPort: number | undefined;
  consolePort: number | undefined;
  taskQueue: string;
  started: StartedParts;
  signal: AbortSignal;
};

type Place = Pick<LocalTemporal, 'address' | 'namespace'>;

/** Starts Temporal, on the ports that it had before if it had some. */
export function startServer(plan: StackPlan, before?: LocalTemporal): Promise<LocalTemporal> {
  const { options, signal } = plan;
  const { dataDir } = options;
  return startTemporal({
    ...options.temporal,
    ...(before === undefined ? {} : portsOf(before)),
    ...(dataDir === undefined ? {} : { dataDir: join(dataDir, 'temporal') }),
    ...linesOf(options, 'temporal'),
    signal,
  });
}

function portsOf({ address, uiUrl, httpUrl }: LocalTemporal) {
  const portOf = (url: string): number => Number(new URL(url).port);
  return {
    port: portOf(`http://${address}`),
    ...(uiUrl === undefined ? {} : { uiPort: portOf(uiUrl) }),
    httpPort: portOf(httpUrl),
  };
}

/** Starts the sandbox. */
export function startService(plan: StackPlan): Promise<LocalSandbox> {
  const { options, signal } = plan;
  return spawnSandbox({ env: sandboxVariables(plan), ...linesOf(options, 'sandbox'), signal });
}

/** Starts our own worker. */
export function startOurs(plan: StackPlan, temporal: Place): Promise<Child> {
  const { options, signal } = plan;
  const env = workerVariables(plan, temporal);
  return startWorker({ env, ...linesOf(options, 'worker'), signal });
}

/** Starts the receiver. It subscribes by itself once the sandbox answers. */
export function startReceiver(plan: StackPlan, temporal: Place): Promise<Child> {
  const { options, signal, webhooksPort } = plan;
  const env = {
    ...sharedVariables(plan, temporal),
    STEADFAST_WEBHOOKS_PORT: String(webhooksPort),
    STEADFAST_WEBHOOKS_ENDPOINT: `http://127.0.0.1:${webhooksPort}/`,
  };
  return startWebhooks({ env, ...linesOf(options, 'webhooks'), signal });
}

/** Starts the console once the sandbox tells the id of its account. It gets no key of the service. */
export async function startConsolePart(plan: StackPlan, temporal: Place): Promise<LocalConsole> {
  const { options, signal, taskQueue, consolePort, sandboxPort } = plan;
  const env = {
    STEADFAST_ENTITY_ID: await accountOf(plan),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    STEADFAST_TASK_QUEUE: taskQueue,
    STEADFAST_CONSOLE_PORT: String(consolePort),
    ...chainOf(options, sandboxPort),
    ...options.console?.env,
  };
  return startConsole({ env, ...linesOf(options, 'console'), signal });
}

async function accountOf({ started, keys }: StackPlan): Promise<string> {
  const sandbox = await started.sandbox;
  if (sandbox === undefined) throw new Error('The console is started before its sandbox.');
  const { appId } = await createCustodyClient({
    ...keys,
    baseUrl: sandbox.baseUrl,
  }).getEntityConfig({});
  return appId;
}

function linesOf(options: StackOptions, from: StackPart): { onLine?: (line: string) => void } {
  const { onLine } = options;
  return onLine === undefined ? {} : { onLine: (line) => onLine(from, line) };
}

function sandboxVariables({ options, keys, sandboxPort }: StackPlan): Record<string, string> {
  const { dataDir } = options;
  return {
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_API_KEY: keys.apiKey,
    SANDBOX_ENTITY_SECRET: keys.entitySecret,
    ...(dataDir === undefined ? {} : { SANDBOX_DATA_DIR: join(dataDir, 'sandbox') }),
    ...options.sandboxEnv,
  };
}

function sharedVariables(
  { keys, sandboxPort }: StackPlan,
  temporal: Place,
): Record<string, string> {
  return {
    CUSTODY_BASE_URL: `http://127.0.0.1:${sandboxPort}/v1/w3s`,
    CUSTODY_API_KEY: keys.apiKey,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
  };
}

function workerVariables(plan: StackPlan, temporal: Place): Record<string, string> {
  const { options, keys, taskQueue, sandboxPort } = plan;
  return {
    ...sharedVariables(plan, temporal),
    ...chainOf(options, sandboxPort),
    CUSTODY_ENTITY_SECRET: keys.entitySecret,
    STEADFAST_TASK_QUEUE: taskQueue,
    ...limitVariables(options.sandboxEnv),
    ...options.workerEnv,
  };
}

function chainOf({ readsChain }: StackOptions, sandboxPort: number): Record<string, string> {
  return readsChain === true
    ? { CHAIN_RPC_URL: `http://127.0.0.1:${sandboxPort}/_sandbox/rpc` }
    : {};
}
