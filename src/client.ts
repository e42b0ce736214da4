import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { newAttempt } from './closedRun';
import { readTemporalConfig } from './config';
import { orderError } from './orderError';
import { type ListedOrder, listOrders, type Wanted } from './orderList';
import { type OrderStatus, readStatus } from './orderStatus';
import {
  type Order,
  type OrderKind,
  type orderSchemas,
  type ReadOrder,
  type Receipt,
  schemaOf,
} from './orders/kinds';
import { workflowIdOf } from './orders/orderId';
import type { Plan } from './orders/plan';
import { BadOrderError, readOrder } from './orders/read';
import type { Finding } from './orders/resolve';
import { refuseOtherOrder, startingOf } from './orders/starting';
import { planOrder } from './planOrder';
import { changeRates, type RateChange, type Rates, readRates } from './rates';
import { createSchedules, type Schedules } from './schedules';
import { firstAttributes } from './searchAttributes';

/** How a start went: a new run, a run that was under way, or one that had completed before. */
export type Started<Kind extends OrderKind> = {
  workflowId: string;
  runId: string;
  outcome: 'started' | 'attached' | 'completed';
  /** Waits for the receipt; throws an OrderError when the order ends otherwise. */
  receipt(): Promise<Receipt<Kind>>;
};

export type Steadfast = {
  /**
   * Starts an order under the caller's own id, such as "transfer:invoice-4711". Starting twice is
   * safe: the second start attaches to the first, or returns what it came to. Throws a
   * BadOrderError when the order is wrong, or when the id belongs to another order.
   */
  start<Kind extends OrderKind>(kind: Kind, id: string, order: Order<Kind>): Promise<Started<Kind>>;
  /** Starts an order and waits for its receipt, for days if need be. */
  execute<Kind extends OrderKind>(
    kind: Kind,
    id: string,
    order: Order<Kind>,
  ): Promise<Receipt<Kind>>;
  /**
   * Tells what an order would do, with the keys that it would use and what its first write would
   * cost, and does nothing of it. Throws a BadOrderError or an OrderError where the order itself
   * would be refused.
   */
  plan<Kind extends OrderKind>(kind: Kind, id: string, order: Order<Kind>): Promise<Plan>;
  /**
   * Attempts anew what came to nothing: the one write of a closed order whose final record says so,
   * under a key of its own. Everything before it keeps its keys, so nothing is done twice. Throws a
   * BadOrderError when the order has not ended so.
   */
  resubmit(id: string): Promise<Started<OrderKind>>;
  /**
   * Asks an order to stop. It ends as cancelled, or as completed where that came too late. Throws a
   * BadOrderError when it is not under way.
   */
  cancel(id: string, reason: string): Promise<void>;
  /**
   * Holds back whatever the order would send next, until it is resumed; what the service has taken
   * goes on. Throws a BadOrderError when it is not under way.
   */
  pause(id: string, reason: string): Promise<void>;
  /** Lets a paused order go on. Throws a BadOrderError when it is not paused. */
  resume(id: string): Promise<void>;
  /**
   * Has the service pay a higher fee for the transaction that settles now. Returns what it said, or
   * throws a BadOrderError when none settles, or when the service does not do it.
   */
  accelerate(id: string): Promise<string>;
  /**
   * Says what became of a write that is unknown; it is held against the service. Returns what
   * follows from it, or throws a BadOrderError that says why it does not hold.
   */
  resolve(id: string, finding: Finding): Promise<string>;
  /** Where an order stands. Throws a BadOrderError when Temporal knows no such id. */
  status(id: string): Promise<OrderStatus>;
  /** Orders, newest first: all, or those that stand so. Throws a BadOrderError for other words. */
  list(wanted?: Wanted): Promise<ListedOrder[]>;
  /** How many calls a second all workers of the queue may make together, and who has said so. */
  rates(): Promise<Rates>;
  /**
   * Changes that at once and for good, whatever workers are started with: a number a second, "off",
   * or "default" for what they are started with. Throws a BadOrderError for anything else.
   */
  changeRates(change: RateChange): Promise<Rates>;
  /** Orders that are started again and again, one for each period. */
  schedules: Schedules;
  /** Closes the connection, if it was made here. */
  close(): Promise<void>;
};

export type SteadfastOptions = {
  client: Client;
  taskQueue: string;
  /** Set where several systems share one custody account: it comes before each workflow id. */
  keyScope?: string;
};

type Update = {
  name: 'cancel' | 'resolve' | 'pause' | 'resume' | 'accelerate';
  request?: object;
};

/** Connects to Temporal as the environment says (TEMPORAL_*, STEADFAST_*). */
export async function connectSteadfast(): Promise<Steadfast> {
  const config = readTemporalConfig();
  const connection = await Connection.connect(config.connection);
  const client = new Client({ connection, namespace: config.namespace });
  const steadfast = createSteadfast({ ...config, client });
  return { ...steadfast, close: () => connection.close() };
}

/** What a backend uses: typed starts of every kind of order on a Temporal client of its own. */
export function createSteadfast(options: SteadfastOptions): Steadfast {
  const { client, keyScope = '' } = options;
  const attributes = firstAttributes(client);

  const start: Steadfast['start'] = async (kind, id, order) => {
    const schema: (typeof orderSchemas)[OrderKind] = schemaOf(kind);
    const read = readOrder(schema, order);
    const workflowId = workflowIdOf(id, keyScope);
    if (read.dryRun) {
      throw new BadOrderError(
        'dryRun: nothing is started for a dry run. Ask for its plan instead.',
      );
    }
    try {
      const handle = await client.workflow.start(kind, {
        workflowId,
        taskQueue: options.taskQueue,
        args: [order],
        ...startingOf(kind, read),
        ...(await attributes(kind)),
      });
      return started<typeof kind>(handle, handle.firstExecutionRunId, 'started');
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      const run = await client.workflow.getHandle(workflowId).describe();
      refuseOtherOrder(run, kind, read);
      const outcome = run.status.name === 'COMPLETED' ? 'completed' : 'attached';
      const handle = client.workflow.getHandle(workflowId, run.runId);
      return started<typeof kind>(handle, run.runId, outcome);
    }
  };

  const plan: Steadfast['plan'] = async (kind, id, order) => {
    const { taskQueue } = options;
    const workflowId = workflowIdOf(id, keyScope);
    const first = await attributes(kind);
    return planOrder(client, { kind, workflowId, order, taskQueue, attributes: first });
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

  const update = <T>(id: string, { name, request = {} }: Update): Promise<T> =>
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

  return {
    start,
    plan,
    execute: async (kind, id, order) => (await start(kind, id, order)).receipt(),
    resubmit: async (id) => {
      const { kind, order } = await known(id, (workflowId) => newAttempt(client, workflowId));
      // It was an order of this kind once, and the guard reads it again.
      return start(kind, id, order as Order<typeof kind>);
    },
    cancel: (id, reason) => update(id, { name: 'cancel', request: { reason } }),
    resolve: (id, finding) => update(id, { name: 'resolve', request: finding }),
    pause: (id, reason) => update(id, { name: 'pause', request: { reason } }),
    resume: (id) => update(id, { name: 'resume' }),
    accelerate: (id) => update(id, { name: 'accelerate' }),
    list: (wanted) => listOrders(client, wanted),
    status: (id) => known(id, (workflowId) => readStatus(client, workflowId)),
    rates: () => readRates(options),
    changeRates: (change) => changeRates(options, change),
    schedules: createSchedules(options),
    close: async () => {},
  };
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
export {
  BadOrderError,
  type Finding,
  type ListedOrder,
  type Order,
  type OrderKind,
  type Plan,
  type ReadOrder,
  type Receipt,
};
