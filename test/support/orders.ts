import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  type Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Archive } from '../../src/books/archive/archive';
import type { Receiver } from '../../src/client/answers/receiver';
import { createSteadfast, type Steadfast } from '../../src/client/client';
import type { Privacy } from '../../src/client/privacy/privacy';
import type { CustodyApi } from '../../src/custody/endpoints';
import type { Progress } from '../../src/orders/progress/status';
import { createWorkers } from '../../src/worker/worker';
import type { DeploymentConfig, Limits, Role } from '../../src/worker/workerConfig';
import { stopAfterTests, stopLater } from './jest/setUp';
import { shareWorkflows } from './jest/sharedWorkflows';
import { temporalAddress, workflowBundle } from './temporal';

export type Orders = {
  steadfast: Steadfast;
  client: Client;
  taskQueue: string;
  /** Resolves with the progress of an order once it satisfies the condition. */
  progress(id: string, condition: (progress: Progress) => boolean): Promise<Progress>;
  /** Stops the workers and starts new ones, as a rollout does. The new ones may have other code. */
  restart(workflows?: WorkflowBundleOption): Promise<void>;
  /** Stops the workers and starts new ones with other keys. */
  rekey(privacy: Privacy): Promise<void>;
  /** Stops the workers and starts new ones for another service, on the same queue. */
  replace(custody: CustodyApi, options: { baseUrl: string }): Promise<void>;
  stop(): Promise<void>;
};

export type ServeOptions = {
  address?: string;
  baseUrl?: string;
  keyLifetimeMs?: number;
  /** Default 0: an ambiguous write is unknown after one look-up. */
  lookupGraceMs?: number;
  chainRpcUrl?: string;
  /** A queue that several builds of one deployment share. Default: a queue of its own. */
  taskQueue?: string;
  workflows?: WorkflowBundleOption;
  deployment?: DeploymentConfig;
  /** Default: no limits. */
  limits?: Limits;
  /** The roles of the first workers. Workers that replace them have all. */
  roles?: readonly Role[];
  /** Keeps the receipts of orders. */
  archive?: Archive;
  /** Is told of the ends of orders. */
  receiver?: Receiver;
  /** The keys of private payloads. The workflows must be bundled for privacy. */
  privacy?: Privacy;
};

type Serving = Pick<ServeOptions, 'baseUrl' | 'workflows' | 'privacy' | 'roles'> & {
  custody: CustodyApi;
};

let queues = 0;

// Many tests provoke refusals and retries. Only faults of the worker itself are logged.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: {
    logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
  },
});

shareWorkflows();

/** Workers in this process on a queue of their own, for a service that the test chooses. */
export async function runOrders(custody: CustodyApi, options: ServeOptions = {}): Promise<Orders> {
  const address = options.address ?? temporalAddress();
  const [native, connection] = await Promise.all([
    NativeConnection.connect({ address }),
    Connection.connect({ address }),
  ]);
  queues += 1;
  const taskQueue = options.taskQueue ?? `test-${process.pid}-${queues}-${Date.now()}`;
  const { dataConverter, isPrivate = false } = options.privacy ?? {};
  const client = new Client({ connection, ...(dataConverter && { dataConverter }) });
  let running: { workers: Worker[]; done: Promise<unknown> };
  const usual: Serving = { ...options, custody };
  const start = async (serving = usual): Promise<void> => {
    const workers = await createWorkers({
      connection: native,
      namespace: 'default',
      taskQueue,
      workflows: serving.workflows ?? workflowBundle(),
      deployment: options.deployment,
      ...(serving.roles && { roles: serving.roles }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(serving.privacy && { dataConverter: serving.privacy.dataConverter }),
      archive: options.archive,
      receiver: options.receiver,
      service: {
        custody: serving.custody,
        settings: settingsOf(serving, options),
      },
    });
    running = { workers, done: Promise.all(workers.map((worker) => worker.run())) };
  };
  const halt = async (): Promise<void> => {
    for (const worker of running.workers) worker.shutdown();
    await running.done;
  };
  await start();
  return {
    steadfast: createSteadfast({ client, taskQueue, isPrivate }),
    client,
    taskQueue,
    progress: async (id, condition) => {
      for (;;) {
        const progress = await client.workflow.getHandle(id).query<Progress>('progress');
        if (condition(progress)) return progress;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    restart: async (workflows = usual.workflows) => {
      await halt();
      await start({ ...usual, ...(workflows === undefined ? {} : { workflows }) });
    },
    rekey: async (privacy) => {
      await halt();
      await start({ ...usual, privacy });
    },
    replace: async (other, { baseUrl }) => {
      await halt();
      await start({ custody: other, baseUrl });
    },
    stop: async () => {
      await halt();
      await connection.close();
      await native.close();
    },
  };
}

function settingsOf({ baseUrl = 'http://scripted' }: Serving, options: ServeOptions) {
  return {
    baseUrl,
    blockchain: 'ARC-TESTNET',
    searchAttributes: true,
    keyLifetimeMs: options.keyLifetimeMs ?? 86_400_000,
    lookupGraceMs: options.lookupGraceMs ?? 0,
    chainRpcUrl: options.chainRpcUrl,
    answers: options.receiver !== undefined,
  };
}

/** The variables with which a command reaches the workers of these orders. */
export function envOf({ taskQueue }: Pick<Orders, 'taskQueue'>) {
  return { TEMPORAL_ADDRESS: temporalAddress(), STEADFAST_TASK_QUEUE: taskQueue };
}

/** Serves orders to the tests of one file, and stops everything at the end of that file. */
export function createServe(): typeof runOrders {
  const running: Orders[] = [];
  const stopAll = () => Promise.all(running.splice(0).map((orders) => orders.stop()));
  stopAfterTests();
  return async (custody, options) => {
    const orders = await runOrders(custody, options);
    if (running.length === 0) stopLater(stopAll);
    running.push(orders);
    return orders;
  };
}

/** Starts an order by name with plain JSON and the most permissive policy, as any language can. */
export async function startPermissively(orders: Orders, id: string, given: unknown) {
  return orders.client.workflow.start('transferStablecoin', {
    workflowId: id,
    taskQueue: orders.taskQueue,
    args: [given],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
}
