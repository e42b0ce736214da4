import {
  type WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import {
  isTelling,
  namedIdOf,
  refusePartId,
  refuseTellingId,
  refuseWholePayoutId,
  workflowIdOf,
} from '../orders/input/orderId';
import { BadOrderError } from '../orders/input/read';
import { type Order, type OrderKind, readOrderOf } from '../orders/kinds';
import { dryPrefix } from '../orders/progress/plan';
import type { SignedLines } from '../writer/signing/signedLines';
import { cancelOrder, skipLines } from './cancelOrder';
import { newAttempt } from './closedRun';
import { listOrders, refuseHidden } from './find/orderList';
import { isThere, resolveShortName } from './find/shortName';
import type { SteadfastOptions } from './options';
import { readStatus } from './orderStatus';
import { readOrigin } from './origin';
import { payoutsOf } from './payouts';
import { planOrder } from './planOrder';
import { changeRates, readRates } from './rates';
import { createSchedules } from './schedules/schedules';
import { signOrderAgain } from './signing/signedBefore';
import { signOrder } from './signing/signRequest';
import { type Started, withReceipt } from './started';
import type { Steadfast } from './steadfast';
import { firstAttributes } from './temporal/searchAttributes';
import { startOnce } from './temporal/startOnce';
import { withinLimit } from './waiting/limit';
import { awaited } from './waiting/waiting';

/** The client of a backend, whose errors of the connection are those of Temporal's own client. */
export function bareClient(options: SteadfastOptions): Steadfast {
  const { client, keyScope = '', isPrivate = false } = options;
  const attributesOf = firstAttributes(client);
  const within = withinLimit(options);

  /** The workflow id of an order that may be started, or was before payloads were private. */
  const idOf = async (id: string): Promise<string> => {
    const workflowId = workflowIdOf(id, keyScope);
    refusePartId(workflowId);
    const isNew = async () => !(await isThere(client, workflowId));
    if (isPrivate && isTelling(id) && (await isNew())) refuseTellingId(id);
    return workflowId;
  };

  const begin = async <Kind extends OrderKind>(
    { kind, order, name, lines, isAgain = false }: Beginning<Kind>,
    workflowIdReusePolicy: WorkflowIdReusePolicy,
  ): Promise<Started<Kind>> => {
    const read = readOrderOf(kind, order);
    const workflowId = await name();
    if (read.dryRun) {
      throw new BadOrderError(
        'dryRun: nothing is started for a dry run. Ask for its plan instead.',
      );
    }
    const attributes = await attributesOf(kind);
    const { taskQueue } = options;
    const asked = { kind, workflowId, order, lines };
    const signed = await (isAgain ? signOrderAgain : signOrder)(options, asked);
    const starting = { kind, workflowId, taskQueue, order: signed, read, attributes };
    const start = await startOnce(client, { ...starting, workflowIdReusePolicy });
    return withReceipt(client.workflow.getHandle(workflowId, start.runId), start);
  };

  const start: Steadfast['start'] = (kind, id, order) =>
    within(() => begin({ kind, order, name: () => idOf(id) }, 'ALLOW_DUPLICATE_FAILED_ONLY'));

  const plan: Steadfast['plan'] = async (kind, id, order) => {
    const { taskQueue } = options;
    const workflowId = await idOf(id);
    const attributes = await attributesOf(kind);
    // A payout whose lines come later has nothing to sign yet.
    const isWhole = kind !== 'payout' || 'lines' in order;
    // The request of a dry run names the id of the dry run, so that it pays nothing.
    const dryId = `${dryPrefix}${workflowId}`;
    const signed = isWhole ? await signOrder(options, { kind, workflowId: dryId, order }) : order;
    return planOrder(client, { kind, dryId, order: signed, taskQueue, attributes });
  };

  /** The order that somebody names, perhaps without the word that its id begins with. */
  const named = (id: string) => resolveShortName(client, namedIdOf(id, keyScope), keyScope);

  /** Asks something of an order that must be there. */
  const known = async <T>(id: string, ask: (workflowId: string) => Promise<T>): Promise<T> => {
    const workflowId = await named(id);
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
        const args: [object] = [request];
        return await awaited(handle, () => handle.executeUpdate<T, [object]>(name, { args }));
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
    isSigning: options.signing !== undefined,
    start: (order, lines) => {
      const name = () => {
        refuseWholePayoutId(order.payoutId, keyScope);
        return idOf(`payout:${order.payoutId}`);
      };
      const beginning = { order, lines, name };
      return within(() => begin({ kind: 'payout', ...beginning }, 'ALLOW_DUPLICATE_FAILED_ONLY'));
    },
    startAgain: (workflowId, order) => {
      const beginning = { order, name: () => workflowId, isAgain: true };
      return within(() => begin({ kind: 'payout', ...beginning }, 'ALLOW_DUPLICATE'));
    },
    // Under the id that was asked for, whatever Temporal says.
    describe: (id) =>
      within(() =>
        known(id, async (workflowId) => {
          return { ...(await client.workflow.getHandle(workflowId).describe()), workflowId };
        }),
      ),
    update,
    skipping: (id, lineIds, ask) =>
      skipLines(options, { workflowId: namedIdOf(id, keyScope), lineIds, ask }),
  });

  return {
    ...payouts,
    start,
    plan,
    execute: async (kind, id, order) => (await start(kind, id, order)).receipt(),
    resubmit: async (id) => {
      const { workflowId, kind, order } = await known(id, (found) => newAttempt(client, found));
      // It was an order of this kind once, and the guard reads it again.
      const again = order as Order<typeof kind>;
      const beginning = { kind, order: again, name: () => workflowId, isAgain: true };
      return begin(beginning, 'ALLOW_DUPLICATE_FAILED_ONLY');
    },
    cancel: async (id, reason) => {
      const workflowId = await named(id);
      const ask = () => update(workflowId, 'cancel', { reason });
      return cancelOrder(options, { id, workflowId, ask });
    },
    resolve: (id, finding) => update(id, 'resolve', finding),
    approve: (id, signed) => update(id, 'approve', signed),
    reject: (id, signed) => update(id, 'reject', signed),
    pause: (id, reason) => update(id, 'pause', { reason }),
    resume: (id) => update(id, 'resume'),
    accelerate: (id) => update(id, 'accelerate'),
    list: async (wanted) => {
      if (isPrivate) refuseHidden(wanted);
      return listOrders(client, wanted);
    },
    origin: (id) => known(id, (workflowId) => readOrigin(client, workflowId)),
    status: (id) => known(id, (workflowId) => readStatus(client, workflowId)),
    rates: () => readRates(options),
    changeRates: (change) => changeRates(options, change),
    schedules: createSchedules(options),
    close: async () => {},
  };
}

type Beginning<Kind extends OrderKind> = {
  kind: Kind;
  order: Order<Kind>;
  name: () => Promise<string> | string;
  lines?: SignedLines | undefined;
  /** True for an order of Temporal. It is signed again, and never for the first time. */
  isAgain?: boolean;
};
