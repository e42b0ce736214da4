import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareEnvironment } from '../../src/local/bareEnvironment';
import { type Child, startChild } from '../../src/local/childProcess';
import { freePorts } from '../../src/local/freePorts';
import { limitVariables } from '../../src/local/limitVariables';
import { type LocalKeys, localKeys } from '../../src/local/localKeys';
import { steadfast } from '../../src/local/spawnSandbox';
import { startTemporal } from '../../src/local/startTemporal';
import { chainOf } from './chain';
import { type Launched, type Mortal, mortal } from './mortal';

type MortalStackOptions = {
  /** The folder in which Temporal and the sandbox keep their state. */
  folder: string;
  /** Ports for a caller that must know them before the start. The default is quiet ports. */
  ports?: { temporal: number; sandbox: number };
  /** More variables for the sandbox, such as SANDBOX_SETTLE_MS. */
  sandboxEnv?: Record<string, string>;
  /**
   * More variables for workers. CUSTODY_BASE_URL and TEMPORAL_ADDRESS put something of the caller's
   * between a worker and what it uses.
   */
  workerEnv?: Record<string, string>;
  /** Runs instead of the sandbox. It must print "Service ready: " and its URL. */
  serviceCommand?: (keys: LocalKeys, port: number) => readonly [program: string, ...args: string[]];
  /** Runs instead of our own worker program. It must print "Worker ready" in the same way. */
  workerCommand?: readonly [program: string, ...args: string[]];
  /** Settings of the Temporal server that a test wants otherwise. */
  dynamicConfig?: Record<string, string>;
  /** Sees every line that any of them prints. */
  onLine?: (name: string, line: string) => void;
  /** Hears of a process that served and has ended although nobody has killed it. */
  onEnd?: (name: string, lastLines: string[]) => void;
};

/** Temporal, the sandbox with its chain, and workers, each of which can be killed by itself. */
export type MortalStack = LocalKeys & {
  temporal: Mortal;
  sandbox: Mortal;
  /** The sandbox's node. The sandbox replaces a killed one, so a start only waits for it. */
  chain: Mortal;
  worker: Mortal;
  /** Adds another worker of the same queue, with variables of its own. It is not started yet. */
  addWorker(env?: Record<string, string>): Mortal;
  /** Adds a receiver of notices with variables of its own. It is not started yet. */
  addReceiver(env: Record<string, string>): Mortal;
  taskQueue: string;
  /** The addresses at which they really are, through all restarts. */
  temporalAddress: string;
  baseUrl: string;
  controlUrl: string;
  rpcUrl: string;
  /** Ends all that runs, at once. */
  stop(): Promise<void>;
};

type Given = MortalStackOptions & { keys: LocalKeys; temporalPort: number; sandboxPort: number };

const taskQueue = 'steadfast';
/** Contracts are compiled first where that has never been done. */
const readyMsMax = 120_000;

/** Starts all of it, in a folder and on ports of its own. Resolves once all of it serves. */
export async function startMortalStack(options: MortalStackOptions): Promise<MortalStack> {
  const { temporal: temporalPort, sandbox: sandboxPort } = options.ports ?? (await quietPorts());
  const given: Given = { ...options, keys: localKeys(), temporalPort, sandboxPort };
  const { onEnd } = options;
  const controlUrl = controlUrlOf(given);
  const temporal = mortal('temporal', () => launchTemporal(given), onEnd);
  const sandbox = mortal('sandbox', () => launchSandbox(given), onEnd);
  const workers: Mortal[] = [];
  const receivers: Mortal[] = [];
  const addWorker = (env: Record<string, string> = {}): Mortal => {
    const name = `worker-${workers.length + 1}`;
    // Read at each start: a caller may have changed the variables before a restart.
    const own = (): Given => ({ ...given, workerEnv: { ...given.workerEnv, ...env } });
    const worker = mortal(name, () => launchWorker(own(), name), onEnd);
    workers.push(worker);
    return worker;
  };
  const worker = addWorker();
  const addReceiver = (env: Record<string, string>): Mortal => {
    const receiver = mortal('receiver', () => launchReceiver(given, env), onEnd);
    receivers.push(receiver);
    return receiver;
  };
  const stop = async (): Promise<void> => {
    await Promise.all([...workers, ...receivers].map((one) => one.kill()));
    await Promise.all([sandbox.kill(), temporal.kill()]);
  };
  try {
    await Promise.all([temporal.start(), sandbox.start()]);
    await worker.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...given.keys,
    taskQueue,
    temporal,
    sandbox,
    worker,
    addWorker,
    addReceiver,
    stop,
    controlUrl,
    chain: chainOf(controlUrl),
    temporalAddress: `127.0.0.1:${temporalPort}`,
    baseUrl: baseUrlOf(given),
    rpcUrl: `${controlUrl}/rpc`,
  };
}

/**
 * Free ports below the range of outgoing connections. A client that calls again and again while a
 * server is away could otherwise get the server's own port, and keep it from coming back. No other
 * stack looks for a port here either, unless it is killed too.
 */
export async function quietPorts(): Promise<{ temporal: number; sandbox: number }> {
  const [temporal = 0, sandbox = 0] = await freePorts([quietPort(), quietPort()]);
  return { temporal, sandbox };
}

function quietPort(): number {
  return 20_000 + Math.floor(Math.random() * 12_000);
}

/** The start sends it requests, so the process is known only when it serves. */
function launchTemporal({ folder, dynamicConfig, temporalPort, onLine }: Given): Launched {
  const start = async (): Promise<Child> => {
    for (let tries = 1; ; tries++) {
      const server = await startTemporal({
        dataDir: join(folder, 'temporal'),
        headless: true,
        port: temporalPort,
        ...(dynamicConfig === undefined ? {} : { dynamicConfig }),
        ...(onLine === undefined ? {} : { onLine: (line) => onLine('temporal', line) }),
      });
      if (server.address.endsWith(`:${temporalPort}`)) return server;
      // The port must stay the same: other processes already have the address.
      await server.kill();
      if (tries === 10) throw new Error(`Another process uses port ${temporalPort} of Temporal.`);
      await sleep(500);
    }
  };
  const child = start();
  return { child, served: child };
}

function launchSandbox(given: Given): Launched {
  const { folder, keys, sandboxPort, sandboxEnv, serviceCommand } = given;
  return launch(given, {
    name: 'sandbox',
    command: serviceCommand?.(keys, sandboxPort) ?? steadfast('sandbox'),
    ready: /^(Sandbox|Service) ready: /,
    env: {
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_DATA_DIR: join(folder, 'sandbox'),
      SANDBOX_API_KEY: keys.apiKey,
      SANDBOX_ENTITY_SECRET: keys.entitySecret,
      ...sandboxEnv,
    },
  });
}

function launchWorker(given: Given, name: string): Launched {
  const { keys, temporalPort, sandboxEnv, workerEnv, workerCommand } = given;
  return launch(given, {
    name,
    command: workerCommand ?? steadfast('worker'),
    ready: /^Worker ready/,
    env: {
      CUSTODY_BASE_URL: baseUrlOf(given),
      CUSTODY_API_KEY: keys.apiKey,
      CUSTODY_ENTITY_SECRET: keys.entitySecret,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
      TEMPORAL_NAMESPACE: 'default',
      STEADFAST_TASK_QUEUE: taskQueue,
      CHAIN_RPC_URL: `${controlUrlOf(given)}/rpc`,
      ...limitVariables(sandboxEnv),
      ...workerEnv,
    },
  });
}

function launchReceiver(given: Given, env: Record<string, string>): Launched {
  const { keys, temporalPort } = given;
  return launch(given, {
    name: 'receiver',
    command: steadfast('webhooks'),
    ready: /^Webhooks ready/,
    env: {
      CUSTODY_BASE_URL: baseUrlOf(given),
      CUSTODY_API_KEY: keys.apiKey,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
      TEMPORAL_NAMESPACE: 'default',
      ...env,
    },
  });
}

type Program = {
  name: string;
  command: readonly [program: string, ...args: string[]];
  ready: RegExp;
  env: Record<string, string>;
};

function launch({ onLine }: Given, { name, command, ready, env }: Program): Launched {
  const child = startChild({
    command,
    env: bareEnvironment(env),
    ...(onLine === undefined ? {} : { onLine: (line) => onLine(name, line) }),
  });
  return { child: Promise.resolve(child), served: child.waitForLine(ready, readyMsMax) };
}

function baseUrlOf({ sandboxPort }: Given): string {
  return `http://127.0.0.1:${sandboxPort}/v1/w3s`;
}

function controlUrlOf({ sandboxPort }: Given): string {
  return `http://127.0.0.1:${sandboxPort}/_sandbox`;
}
