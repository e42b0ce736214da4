import type { DataConverter } from '@temporalio/common';
import {
  type BundleOptions,
  bundleWorkflowCode,
  DefaultLogger,
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { createActivities, localActivities, ofRole } from '../../activities';
import { answerActivities } from '../../activities/answers/tellReceiver';
import type { Archive } from '../books/archive/archive';
import type { Receiver } from '../client/answers/receiver';
import { isPrivate, refuseUnfitBundle } from '../client/privacy/bundle';
import type { CustodyApi } from '../custody/endpoints';
import { type Observing, traceSinks } from '../telemetry/observeWorkers';
import { readingCustody } from '../writer/readingCustody';
import { spreadCalls } from './spreadCalls';
import { roles as allRoles, type DeploymentConfig, type Limits, type Role } from './workerConfig';

/**
 * Builds the workflows into one bundle, which several workers can share: ours, or those of a file
 * that exports ours and others. With private payloads, the workflows themselves encode the messages
 * of failures.
 */
export async function buildWorkflows({
  isPrivate = false,
  workflowsPath = require.resolve('../../workflows'),
} = {}): Promise<{ code: string }> {
  const failureConverterPath = require.resolve('../client/privacy/failureConverter');
  return bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [require.resolve('../../workflows/order/interceptors')],
    ...(isPrivate ? { failureConverterPath } : {}),
    webpackConfigHook: keepSyntax,
    logger: new DefaultLogger('WARN'),
  });
}

/**
 * Has the bundler keep the syntax that Node itself knows. It would rewrite each spread of an object
 * into calls, which take a good part of the time of a workflow with many lines.
 */
const keepSyntax: NonNullable<BundleOptions['webpackConfigHook']> = (config) => {
  for (const rule of config.module?.rules ?? []) {
    const use = typeof rule === 'object' && rule ? rule.use : undefined;
    const options = typeof use === 'object' && 'options' in use ? use.options : undefined;
    if (typeof options === 'object' && 'jsc' in options) Object.assign(options.jsc, { target });
  }
  return config;
};

/** Every Node that runs this knows it. */
const target = 'es2022';

type WorkerParts = {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** All of them unless said. */
  roles?: readonly Role[];
  /** For the role workflows. */
  workflows?: WorkflowBundleOption | undefined;
  /** For the roles reads and writes: the service, and what activities need to know of it. */
  service?: Service | undefined;
  /** Keeps the receipts of orders. Without it, nothing does. */
  archive?: Archive | undefined;
  /** The ledgers whose seals count in receipts. Without one, receipts have no grounds. */
  ledgers?: readonly string[];
  /** For the role workflows: who is told of the ends of orders. Without it, nobody is. */
  receiver?: Receiver | undefined;
  /** The converter from `readPrivacy`. The default is Temporal's own. The bundle must fit it. */
  dataConverter?: DataConverter | undefined;
  deployment?: DeploymentConfig | undefined;
  /** None unless said. */
  limits?: Limits;
  /**
   * The time that running tasks have to finish after a shutdown was requested. The default is 15 s.
   */
  shutdownMs?: number;
  /** Nothing is counted or traced unless said. */
  observing?: Observing;
};

/** The service that activities call. Its secrets stay in the client. */
type Service = {
  custody: CustodyApi;
  settings: Omit<
    Parameters<typeof createActivities>[1],
    'isPrivate' | 'writesPerSecond' | 'turn' | 'archive'
  >;
};

const shutdownDefaultMs = 15_000;
/** The time that a cancelled activity has to stop. After it, the process ends anyway. */
const deafMs = 10_000;

/** Ends that are told at the same time. A slow receiver delays them, and nothing else. */
const tellingMax = 10;
/** So that little is told twice after a worker is lost. */
const heartbeatEveryMs = 1_000;

/**
 * Creates the workers of one process: workflows and reads on the queue itself, writes on
 * `<queue>-writes`, and messages to a receiver on `<queue>-answers`. Temporal counts and limits the
 * calls of all workers of a queue together. On shutdown, they accept no new task and finish the
 * running ones. A task that is not finished in time is cancelled, and continues on another worker.
 * Throws a ConfigError when the bundle of workflows is for other payloads.
 */
export async function createWorkers(parts: WorkerParts): Promise<Worker[]> {
  const { taskQueue, roles = allRoles, limits } = parts;
  const workers: Promise<Worker>[] = [];
  if (roles.includes('workflows') || roles.includes('reads')) {
    workers.push(Worker.create({ ...optionsOf(parts, 'reads'), ...onQueue(parts), taskQueue }));
  }
  if (roles.includes('writes')) {
    const writes = { ...limited(limits?.writesPerSecond), taskQueue: `${taskQueue}-writes` };
    workers.push(Worker.create({ ...optionsOf(parts, 'writes'), ...writes }));
  }
  if (roles.includes('workflows') && parts.receiver !== undefined) {
    workers.push(Worker.create(tellingOptions(parts, parts.receiver)));
  }
  return Promise.all(workers);
}

/** A worker that tells a receiver. It has a queue of its own, so that no order waits behind it. */
function tellingOptions(parts: WorkerParts, receiver: Receiver): WorkerOptions {
  return {
    ...shared(parts),
    taskQueue: `${parts.taskQueue}-answers`,
    activities: answerActivities(receiver),
    maxConcurrentActivityTaskExecutions: tellingMax,
    maxHeartbeatThrottleInterval: heartbeatEveryMs,
  };
}

/** A worker of the queue itself: tasks of workflows, reads, or both. */
function onQueue({
  roles = allRoles,
  workflows,
  limits,
  dataConverter,
}: WorkerParts): Partial<WorkerOptions> {
  if (roles.includes('workflows') && workflows === undefined) {
    throw new Error('workflows: a worker with the role workflows needs them, bundled.');
  }
  if (workflows !== undefined) refuseUnfitBundle(workflows, dataConverter);
  const reads = roles.includes('reads') ? limited(limits?.readsPerSecond) : {};
  return {
    ...(roles.includes('workflows') && workflows ? { workflowBundle: workflows } : {}),
    // Local activities run where the workflow runs, and need no service.
    ...(roles.includes('reads') ? reads : { enableNonLocalActivities: false }),
  };
}

function optionsOf(parts: WorkerParts, role: 'reads' | 'writes'): Omit<WorkerOptions, 'taskQueue'> {
  const { service, roles = allRoles } = parts;
  const calls = roles.includes('reads') || roles.includes('writes');
  if (calls && service === undefined) {
    throw new Error('service: a worker with the role reads or writes needs one to call.');
  }
  return {
    ...shared(parts),
    activities: {
      ...(service ? activitiesOf(service, role, parts) : {}),
      ...(role === 'reads' && roles.includes('workflows') ? localActivities(parts) : {}),
    },
  };
}

/** The options that all workers of a process share. */
function shared(parts: WorkerParts): Omit<WorkerOptions, 'taskQueue'> {
  const { connection, namespace, shutdownMs = shutdownDefaultMs, dataConverter } = parts;
  return {
    connection,
    namespace,
    ...(parts.observing ?? { sinks: traceSinks() }),
    shutdownGraceTime: shutdownMs,
    shutdownForceTime: shutdownMs + deafMs,
    ...(dataConverter === undefined ? {} : { dataConverter }),
    // Both, so that what an order of this build sends is sent by this build.
    ...versioning(parts.deployment),
  };
}

/**
 * The activities of a role. Activities that read get a client without writes. With private
 * payloads, the plain summary of an order is cut down as well.
 */
function activitiesOf(
  { custody, settings }: Service,
  role: 'reads' | 'writes',
  { archive, dataConverter, limits }: WorkerParts,
) {
  const api = role === 'reads' ? readingCustody(custody) : custody;
  const writesPerSecond = role === 'writes' ? limits?.writesPerSecond : undefined;
  const turn = writesPerSecond === undefined ? undefined : spreadCalls(writesPerSecond);
  const own = { ...settings, archive, isPrivate: isPrivate(dataConverter), writesPerSecond, turn };
  return ofRole(createActivities(api, own), role);
}

function limited(perSecond: number | undefined): Partial<WorkerOptions> {
  return perSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: perSecond };
}

/** The build for Temporal, when orders are to stay with the build that began them. */
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
