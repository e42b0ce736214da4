import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { temporalServer } from '../../scripts/temporalServer';
import { attributeNames } from '../orders/progress/status';
import { bareEnvironment } from './bareEnvironment';
import type { Child } from './childProcess';
import { freePorts } from './freePorts';
import { startReady } from './startReady';

export type TemporalOptions = {
  /** The folder of histories. Without it they are in memory. */
  dataDir?: string;
  /** The preferred ports. If one is in use, any free port serves. 0 is any. */
  port?: number;
  uiPort?: number;
  /** The preferred port of the JSON interface over HTTP. The default is any. */
  httpPort?: number;
  /** Without the web UI. */
  headless?: boolean;
  /** Settings of the server that a test wants otherwise, such as the length of a history. */
  dynamicConfig?: Record<string, string>;
  /** Sees every line the server prints. */
  onLine?: (line: string) => void;
  /** Stops the server while it still starts. */
  signal?: AbortSignal;
};

export type LocalTemporal = Child & {
  address: string;
  /** The URL of the JSON interface over HTTP. */
  httpUrl: string;
  namespace: string;
  /** Undefined without the web UI. */
  uiUrl: string | undefined;
};

const namespace = 'default';
const readyTimeoutMs = 90_000;
/** Longer than anybody asks for an order. The server's own default forgets after a day. */
const retention = '30 days';
const startsMax = 3;

/**
 * Settings that make a local server quick. By default it reads timers once a second, in case the
 * clocks of several hosts differ. Five timers of 100 ms took 5.0 s, and take 0.8 s. It hands a
 * worker the activities of its own queue at once. Five in a row took 0.50 s, and take 0.24 s.
 */
const quickness = [
  'history.timerProcessorMaxTimeShift="1ms"',
  'system.enableActivityEagerExecution=true',
];

/**
 * A queue's limit is divided among its partitions. With four, each hands out a quarter of it, even
 * while the others have no task. A queue of a local server needs only one.
 */
const unpartitioned = [
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
];

/** Off by default in this version: without it a queue hands out what came first. */
const priorities = 'matching.useNewMatcher=true';

/** Starts a Temporal server on this machine. Resolves once it answers. */
export async function startTemporal(options: TemporalOptions = {}): Promise<LocalTemporal> {
  const binary = await temporalServer();
  for (let start = 1; ; start++) {
    let isTaken = false;
    const onLine = (line: string): void => {
      // A panic of many lines follows, so the last lines alone would not show it.
      isTaken ||= line.includes('address already in use');
      options.onLine?.(line);
    };
    try {
      return await launch(binary, { ...options, onLine });
    } catch (error) {
      if (!isTaken || start === startsMax) throw error;
    }
  }
}

async function launch(binary: string, options: TemporalOptions): Promise<LocalTemporal> {
  const { port: wish = 7233, uiPort: uiWish = 8233, httpPort: httpWish = 0 } = options;
  const { headless, onLine, signal } = options;
  const wishes = [wish, headless ? 0 : uiWish, httpWish, 0];
  const [port = 0, uiPort = 0, httpPort = 0, metricsPort = 0] = await freePorts(wishes);
  const ports = ['--port', port, '--http-port', httpPort, '--metrics-port', metricsPort];
  const ui = headless ? ['--headless'] : ['--ui-port', uiPort];
  const { child } = await startReady({
    ...(onLine === undefined ? {} : { onLine }),
    ...(signal === undefined ? {} : { signal }),
    name: 'Temporal',
    command: [binary, ...flags(options), ...[...ports, ...ui].map(String)],
    // A tenth less processor time, for some memory.
    env: { ...bareEnvironment(), GOGC: '400' },
    // Its own word, not an open port: that could be another server's, which was faster.
    ready: /^Server:/,
    timeoutMs: readyTimeoutMs,
  });
  const address = `127.0.0.1:${port}`;
  const uiUrl = headless ? undefined : `http://127.0.0.1:${uiPort}`;
  await keepForLong(address).catch(async (error) => {
    await child.kill();
    throw error;
  });
  const httpUrl = `http://127.0.0.1:${httpPort}`;
  return { ...child, address, httpUrl, namespace, uiUrl };
}

function flags({ dataDir, dynamicConfig = {} }: TemporalOptions): string[] {
  const settings = Object.entries(dynamicConfig).map(([name, value]) => `${name}=${value}`);
  return [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--log-level',
    'error',
    // Neither file may point this server, or its start-up, at another one.
    '--disable-config-file',
    '--disable-config-env',
    ...attributeNames.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...[...quickness, ...unpartitioned, priorities, ...settings].flatMap((setting) => [
      '--dynamic-config-value',
      setting,
    ]),
    ...(dataDir === undefined ? [] : storage(dataDir)),
  ];
}

/** A crash of the machine may cost the last moments in this mode, a crash of the server nothing. */
function storage(dataDir: string): string[] {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL'];
  return [
    '--db-filename',
    join(dataDir, 'temporal.db'),
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
  ];
}

async function keepForLong(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const config = { workflowExecutionRetentionTtl: msToTs(retention) };
    await connection.workflowService.updateNamespace({ namespace, config });
  } finally {
    await connection.close();
  }
}
