import {
  Client,
  Connection,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  type WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { startOnce } from '../activities/startOnce';
import { newAttempt } from './closedRun';
import { readTemporalConfig } from './config';
import { orderError } from './orderError';
import { type ListedOrder, listOrders } from './orderList';
import { readStatus } from './orderStatus';
import {
  type Order,
  type OrderKind,
  type orderSchemas,
  type ReadOrder,
  type Receipt,
  schemaOf,
} from './orders/kinds';
import { isTelling, refuseTellingId, workflowIdOf } from './orders/orderId';
import type { Plan } from './orders/plan';
import { BadOrderError, readOrder } from './orders/read';
import type { Finding } from './orders/resolve';
import { payoutsOf } from './payouts';
import { planOrder } from './planOrder';
import { readPrivacy } from './privacy/privacy';
import { changeRates, readRates } from './rates';
import { createSchedules } from './schedules';
import { firstAttributes } from './searchAttributes';
import type { Started, Steadfast, SteadfastOptions } from './steadfast';
import { traceStarts } from './telemetry/traceStarts';

/** Connects to Temporal as the environment says (TEMPORAL_*, STEADFAST_*). */
export async function connectSteadfast(): Promise<Steadfast> {
  const config = readTemporalConfig();
  const connection = await Connection.connect(config.connection);
  const { namespace } = config;
  const { dataConverter, isPrivate } = readPrivacy(namespace);
  const interceptors = { workflow: [traceStarts] };
  const client = new Client({ connection, namespace, dataConverter, interceptors });
  const steadfast = createSteadfast({ ...config, client, isPrivate });
  return { ...steadfast, close: () => connection.close() };
}

/** What a backend uses: typed starts of every kind of order on a Temporal client of its own. */
export function createSteadfast(options: SteadfastOptions): Steadfast {
  const { client, keyScope = '', isPrivate = false } = options;
  const attributesOf = firstAttributes(client);

  /** The workflow id of an order that may be started, or was before payloads were private. */
  const idOf = async (id: string): Promise<string> => {
    const workflowId = workflowIdOf(id, keyScope);
    const isNew = async () => !(await isThere(client, workflowId));
    if (isPrivate && isTelling(id) && (await isNew())) refuseTellingId(id);
    return workflowId;
  };

  const begin = async <Kind extends OrderKind>(
    { kind, id, order }: { kind: Kind; id: string; order: Order<Kind> },
    workflowIdReusePolicy: WorkflowIdReusePolicy,
  ): Promise<Started<Kind>> => {
    const schema: (typeof orderSchemas)[OrderKind] = schemaOf(kind);
    const read = readOrder(schema, order);
    const workflowId = await idOf(id);
    if (read.dryRun) {
      throw new BadOrderError(
        'dryRun: nothing is started for a dry run. Ask for its plan instead.',
      );
    }
    const attributes = await attributesOf(kind);
    const { taskQueue } = options;
    const starting = { kind, workflowId, taskQueue, order, read, attributes };
    const { runId, outcome } = await startOnce(client, { ...starting, workflowIdReusePolicy });
    return started(client.workflow.getHandle(workflowId, runId), runId, outcome);
  };

  const start: Steadfast['start'] = (kind, id, order) =>
    begin({ kind, id, order }, 'ALLOW_DUPLICATE_FAILED_ONLY');

  const attached = <Kind extends OrderKind>(run: WorkflowExecutionDescription): Started<Kind> => {
    const handle = client.workflow.getHandle(run.workflowId, run.runId);
    return started(handle, run.runId, run.status.name === 'COMPLETED' ? 'completed' : 'attached');
  };

  const plan: Steadfast['plan'] = async (kind, id, order) => {
    const { taskQueue } = options;
    const workflowId = await idOf(id);
    const attributes = await attributesOf(kind);
    return planOrder(client, { kind, workflowId, order, taskQueue, attributes });
  };

  /** Asks something of an order that must be there. */
  const known = async <T>(id: string, ask: (workflowId: string) => Promise<T>): Promise<T> => {
    const workflowId = workflowIdOf(id, keyScope);
    try {
      return await ask(workflowId);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      throw new BadOrderError(`id: Temporal knows no order "${workflowId}".`);
    }
  };

  const update = <T>(id: string, name: string, request: object = {}): Promise<T> =>
    known(id, async (workflowId) => {
      try {
        const handle = client.workflow.getHandle(workflowId);
        return await handle.executeUpdate<T, [object]>(name, { args: [request] });
      } catch (error) {
        if (error instanceof WorkflowNotFoundError && /completed/.test(error.message)) {
          throw new BadOrderError(`id: ${workflowId} is not under way any more.`);
        }
        if (!(error instanceof WorkflowUpdateFailedError)) throw error;
        throw new BadOrderError(error.cause instanceof Error ? error.cause.message : error.message);
      }
    });

  const payouts = payoutsOf({
    client,
    start: (order, { isAgain = false } = {}) =>
      begin(
        { kind: 'payout', id: `payout:${order.payoutId}`, order },
        isAgain ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
      ),
    describe: (id) => known(id, (workflowId) => client.workflow.getHandle(workflowId).describe()),
    attached,
    update,
  });

  return {
    ...payouts,
    start,
    plan,
    execute: async (kind, id, order) => (await start(kind, id, order)).receipt(),
    resubmit: async (id) => {
      const { kind, order } = await known(id, (workflowId) => newAttempt(client, workflowId));
      // It was an order of this kind once, and the guard reads it again.
      return start(kind, id, order as Order<typeof kind>);
    },
    cancel: (id, reason) => update(id, 'cancel', { reason }),
    resolve: (id, finding) => update(id, 'resolve', finding),
    pause: (id, reason) => update(id, 'pause', { reason }),
    resume: (id) => update(id, 'resume'),
    accelerate: (id) => update(id, 'accelerate'),
    list: (wanted) => listOrders(client, wanted),
    status: (id) => known(id, (workflowId) => readStatus(client, workflowId)),
    rates: () => readRates(options),
    changeRates: (change) => changeRates(options, change),
    schedules: createSchedules(options),
    close: async () => {},
  };
}

async function isThere(client: Client, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function started<Kind extends OrderKind>(
  handle: WorkflowHandle,
  runId: string,
  outcome: Started<Kind>['outcome'],
): Started<Kind> {
  const receipt = async (): Promise<Receipt<Kind>> => {
    try {
      return await handle.result();
    } catch (error) {
      throw orderError(handle.workflowId, error);
    }
  };
  return { workflowId: handle.workflowId, runId, outcome, receipt };
}

// biome-ignore lint/performance/noBarrelFile: what a backend needs comes from one place.
export { OrderError } from './orderError';
export type { LineResult, PayoutLine } from './orders/payout';
export type { HandedOver, Lines } from './payouts';
export { traceStarts } from './telemetry/traceStarts';
export {
  BadOrderError,
  type Finding,
  type ListedOrder,
  type Order,
  type OrderKind,
  type Plan,
  type ReadOrder,
  type Receipt,
  type Started,
  type Steadfast,
  type SteadfastOptions,
};
