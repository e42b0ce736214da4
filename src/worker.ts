import { Client } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { createActivities } from '../activities';
import {
  type CustodyConfig,
  type DeploymentConfig,
  type Limits,
  readCustodyConfig,
  readDeployment,
  readLimits,
  readTemporalConfig,
  readWorkflowBundle,
  type TemporalConfig,
} from './config';
import { createCustodyClient } from './custody/client';
import type { CustodyApi } from './custody/endpoints';
import { log, temporalLogger } from './log';
import { attributeNames } from './orders/status';
import { hasSearchAttributes } from './searchAttributes';

const retentionDaysMin = 30;
const connectTimeoutMs = 30_000;

/** Builds the workflows into one bundle; several workers of one run can share it. */
export async function buildWorkflows(): Promise<{ code: string }> {
  return bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    logger: new DefaultLogger('WARN'),
  });
}

export type WorkerParts = {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  custody: CustodyApi;
  settings: Parameters<typeof createActivities>[1];
  workflows: WorkflowBundleOption;
  deployment?: DeploymentConfig | undefined;
  /** None unless said. */
  limits?: Limits;
};

/**
 * The two workers of one process: workflows and reads on the queue itself, writes on
 * `<queue>-writes`, where they can be counted and limited. The limits are kept by Temporal, for all
 * workers of a queue together. Both drain when told to shut down.
 */
export async function createWorkers(parts: WorkerParts): Promise<Worker[]> {
  const { connection, namespace, taskQueue, custody, settings, workflows, limits } = parts;
  const activities = createActivities(custody, settings);
  const common = {
    ...{ connection, namespace, activities, shutdownGraceTime: '15s' as const },
    // Both, so that what an order of this build sends is sent by this build.
    ...versioning(parts.deployment),
  };
  return [
    await Worker.create({
      ...{ ...common, taskQueue, workflowBundle: workflows },
      ...limited(limits?.readsPerSecond),
    }),
    await Worker.create({
      ...{ ...common, taskQueue: `${taskQueue}-writes` },
      ...limited(limits?.writesPerSecond),
    }),
  ];
}

function limited(perSecond: number | undefined): Partial<WorkerOptions> {
  return perSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: perSecond };
}

/** What Temporal is told of the build; nothing, unless orders are to be kept apart by builds. */
function versioning(deployment: DeploymentConfig | undefined): Partial<WorkerOptions> {
  if (deployment === undefined) return {};
  const { name: deploymentName, buildId, isPinned } = deployment;
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: isPinned ? 'PINNED' : 'AUTO_UPGRADE',
    },
  };
}

/** The worker program: reads the environment, serves until SIGTERM, then drains. */
export async function runWorker(): Promise<void> {
  const temporal = readTemporalConfig();
  const custody = readCustodyConfig();
  const codePath = readWorkflowBundle();
  const deployment = readDeployment();
  const limits = readLimits();
  Runtime.install({ logger: temporalLogger(), shutdownSignals: [] });
  const [connection, workflows] = await Promise.all([
    connect(temporal),
    codePath === undefined ? buildWorkflows() : { codePath },
  ]);
  const searchAttributes = await hasSearchAttributes(connection, temporal.namespace);
  if (!searchAttributes) {
    log.warn(
      { namespace: temporal.namespace },
      `The namespace lacks our search attributes (${attributeNames.join(', ')}); orders run without.`,
    );
  }
  await warnOfShortRetention(connection, temporal.namespace);
  const workers = await createWorkers({
    ...temporal,
    connection,
    ...{ workflows, deployment, limits },
    custody: createCustodyClient(custody),
    // Only what activities need: the secrets stay in the client.
    settings: {
      baseUrl: custody.baseUrl,
      blockchain: custody.blockchain,
      keyLifetimeMs: custody.keyLifetimeMs,
      lookupGraceMs: custody.lookupGraceMs,
      chainRpcUrl: custody.chainRpcUrl,
      searchAttributes,
    },
  });
  const running = Promise.all(workers.map((worker) => worker.run()));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      for (const worker of workers) worker.shutdown();
    });
  }
  await checkService(custody);
  process.stdout.write(`Worker ready: ${temporal.taskQueue} in ${temporal.namespace}\n`);
  await running;
  await connection.close();
}

async function connect(temporal: TemporalConfig): Promise<NativeConnection> {
  const startedAt = Date.now();
  for (;;) {
    try {
      return await NativeConnection.connect(temporal.connection);
    } catch (error) {
      if (Date.now() - startedAt > connectTimeoutMs) throw error;
      log.warn({ address: temporal.connection.address }, 'Temporal cannot be reached yet.');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

async function warnOfShortRetention(
  connection: NativeConnection,
  namespace: string,
): Promise<void> {
  const client = new Client({ connection, namespace });
  const { config } = await client.workflowService.describeNamespace({ namespace });
  const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  const days = seconds / 86_400;
  if (days >= retentionDaysMin) return;
  log.warn(
    { namespace, days },
    `The namespace keeps closed workflows for ${days} days; ${retentionDaysMin} are advised, ` +
      'so that an order started again is held against its earlier runs.',
  );
}

/** Says at once when the service refuses our key; the worker stays, and heals when it is mended. */
async function checkService(custody: CustodyConfig): Promise<void> {
  try {
    await createCustodyClient(custody).getPublicKey({});
  } catch (error) {
    log.warn({ baseUrl: custody.baseUrl }, error instanceof Error ? error.message : String(error));
  }
}
