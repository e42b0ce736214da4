import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, startChild } from '../src/childProcess';
import { bareEnvironment } from '../src/stack/bareEnvironment';
import { freePorts } from '../src/stack/freePorts';
import { limitVariables } from '../src/stack/limitVariables';
import { type LocalKeys, localKeys } from '../src/stack/localKeys';
import { steadfast } from '../src/stack/startSandbox';
import { startTemporal } from '../src/stack/startTemporal';
import { chainOf } from './chain';
import { type Launched, type Mortal, mortal } from './mortal';

export type MortalStackOptions = {
  /** Where Temporal and the sandbox keep what must survive. */
  folder: string;
  /** Where they are to listen, for who has to know it before they start; quiet ports by default. */
  ports?: { temporal: number; sandbox: number };
  /** More variables for the sandbox, such as SANDBOX_SETTLE_MS. */
  sandboxEnv?: Record<string, string>;
  /**
   * More variables for workers. CUSTODY_BASE_URL and TEMPORAL_ADDRESS put something of the caller's
   * between a worker and what it uses.
   */
  workerEnv?: Record<string, string>;
  /** Runs instead of the sandbox; it has to print "Service ready: " and where it is. */
  serviceCommand?: (keys: LocalKeys, port: number) => readonly [program: string, ...args: string[]];
  /** Runs instead of our own worker program; it has to print "Worker ready" in the same way. */
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
  /** The sandbox's node: the sandbox itself builds another one, so starting it is waiting for it. */
  chain: Mortal;
  worker: Mortal;
  /** Another worker of the same queue, which is not started yet; with variables of its own. */
  addWorker(env?: Record<string, string>): Mortal;
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

/** Starts all of it, in a folder and on ports of its own; resolves once all of it serves. */
export async function startMortalStack(options: MortalStackOptions): Promise<MortalStack> {
  const { temporal: temporalPort, sandbox: sandboxPort } = options.ports ?? (await quietPorts());
  const given: Given = { ...options, keys: localKeys(), temporalPort, sandboxPort };
  const { onEnd } = options;
  const controlUrl = controlUrlOf(given);
  const temporal = mortal('temporal', () => launchTemporal(given), onEnd);
  const sandbox = mortal('sandbox', () => launchSandbox(given), onEnd);
  const workers: Mortal[] = [];
  const addWorker = (env: Record<string, string> = {}): Mortal => {
    const name = `worker-${workers.length + 1}`;
    // Looked up at each start: who restarts it may have changed what all of them are given.
    const own = (): Given => ({ ...given, workerEnv: { ...given.workerEnv, ...env } });
    const worker = mortal(name, () => launchWorker(own(), name), onEnd);
    workers.push(worker);
    return worker;
  };
  const worker = addWorker();
  const stop = async (): Promise<void> => {
    await Promise.all(workers.map((one) => one.kill()));
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
    ...{ ...given.keys, taskQueue, temporal, sandbox, worker, addWorker, stop, controlUrl },
    chain: chainOf(controlUrl),
    temporalAddress: `127.0.0.1:${temporalPort}`,
    baseUrl: baseUrlOf(given),
    rpcUrl: `${controlUrl}/rpc`,
  };
}

/**
 * Free ports below those that connections are given: a client that calls again and again while a
 * server is away could be given the server's own port, and keep it from coming back.
 */
export async function quietPorts(): Promise<{ temporal: number; sandbox: number }> {
  const [temporal = 0, sandbox = 0] = await freePorts([quietPort(), quietPort()]);
  return { temporal, sandbox };
}

function quietPort(): number {
  return 20_000 + Math.floor(Math.random() * 10_000);
}

/** Its start asks it things, so it is known only when it serves. */
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
      // Another port would be another server to everybody who knows this one.
      await server.kill();
      if (tries === 10) throw new Error(`Port ${temporalPort} of Temporal is taken by another.`);
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
