import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../../src/custody/objects/transaction';
import { forgetId } from '../../kill/forget';
import type { Boundary } from '../boundary';
import type { Effect, Order } from '../flows/flow';
import { amountOf, moved } from '../flows/money';
import { newAddress } from '../flows/wallets';
import type { Lane } from '../lane';
import { recordsNaming, recordsSince } from '../stage';
import { Unplayable } from './scene';

const namespace = 'default';
const lookMs = 100;
const waitMsMax = 120_000;
const payments = /^service (createTransfer|executeContract)$/;
/** The gate is asked for so long before the service is. */
const noteMsMax = 1_000;
/** Longer ago than the order was sent. */
const sinceMs = 300_000;
/** The server deletes some runs only after a while. */
const forgetMsMax = 120_000;

/** Waits for a condition. Throws at the timeout, with words that name the condition. */
export async function until(words: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  if (await isEverSo(isSo, waitMsMax)) return;
  throw new Error(`Timeout. Waited until ${words}.`);
}

async function isEverSo(isSo: () => Promise<boolean> | boolean, msMax: number): Promise<boolean> {
  for (const endMs = Date.now() + msMax; Date.now() < endMs; await sleep(lookMs)) {
    if (await isSo()) return true;
  }
  return false;
}

/** Waits until the newest run under this id has ended. */
export async function ended({ observer }: Lane, id: string): Promise<void> {
  const handle = observer.workflow.getHandle(id);
  await until('it ended', async () => (await handle.describe()).status.name !== 'RUNNING');
}

/** Waits until an order has reached a boundary. A kill may lose the call, so a later one counts. */
export async function comeBy(lane: Lane, { name }: Order, boundary: Boundary): Promise<void> {
  await until(`it reached ${boundary.call}`, () =>
    lane.gate
      .trace(name)
      .some(
        ({ call, nth, point }) =>
          call === boundary.call && nth >= boundary.nth && point === boundary.point,
      ),
  );
}

/**
 * Waits until the service has accepted something of an order, whether or not anybody heard. The
 * gate notes no call that a kill has lost on its way: only the service's record tells of it.
 */
export async function untilSent(lane: Lane, order: Order): Promise<void> {
  const isNoted = () =>
    lane.gate
      .trace(order.name)
      .some(({ call, point }) => payments.test(call) && point !== 'before');
  const isRecorded = () =>
    recordsOf(lane, order).then(
      ({ length }) => length > 0,
      // The service may be away, as a process that was killed.
      () => false,
    );
  await until(
    'the service accepted a payment',
    async () => (await isEverSo(isNoted, noteMsMax)) || (await isRecorded()),
  );
}

/** The service's records that name an order. */
export async function recordsOf(lane: Lane, { name }: Order): Promise<Transaction[]> {
  return recordsNaming(name, await recordsSince(lane, new Date(Date.now() - sinceMs)));
}

/** Waits until an order shows this status or has ended. True if it shows the status. */
export async function shows({ observer }: Lane, id: string, status: string): Promise<boolean> {
  let isShown = false;
  await until(`it showed ${status}`, async () => {
    const handle = observer.workflow.getHandle(id);
    if ((await handle.describe()).status.name !== 'RUNNING') return true;
    const progress = await handle.query<{ status: string }>('progress');
    isShown = progress.status === status;
    return isShown;
  });
  return isShown;
}

/** Has an order look again now. An order that has ended needs no look. */
export async function wake({ observer }: Lane, id: string): Promise<void> {
  const handle = observer.workflow.getHandle(id);
  if ((await handle.describe()).status.name === 'RUNNING') await handle.signal('wake');
}

/** Terminates a run, as an operator can in Temporal UI. */
export async function terminate({ observer }: Lane, id: string): Promise<void> {
  await observer.workflow.getHandle(id).terminate('swept');
}

/** Resets its newest run to the first workflow task after the guard. */
export async function reset({ observer }: Lane, id: string): Promise<void> {
  const { events } = await observer.workflow.getHandle(id).fetchHistory();
  const tasks = (events ?? []).filter(({ workflowTaskCompletedEventAttributes: task }) => task);
  await observer.workflowService.resetWorkflowExecution({
    namespace,
    requestId: randomUUID(),
    reason: 'swept',
    workflowExecution: { workflowId: id },
    workflowTaskFinishEventId: tasks[1]?.eventId ?? null,
  });
}

/** Has Temporal forget an id, as it does by itself after its retention. */
export async function forget({ observer }: Lane, id: string): Promise<void> {
  if (await forgetId(observer, id, Date.now() + forgetMsMax)) return;
  throw new Unplayable(`Temporal did not forget ${id}`);
}

/** The JSON of a transfer, and its only effect. */
export type Transfer = { body: object; effect: Effect };

/** Numbers of orders that others place beside those of the flows. */
const others = 500_000;

/** Another transfer from a wallet, as an order of its own: other amount, other recipient. */
export function otherTransfer(wallet: { id: string; address: string }, order: Order): Transfer {
  const [to, amount] = [newAddress(), amountOf({ number: others + order.number })];
  const body = { from: { walletId: wallet.id }, to, amount, token: 'USDC' };
  return { body, effect: moved({ from: wallet.address, to, amount }) };
}

/** Starts a transfer as any client can: with its JSON and the most permissive policy. */
export async function startPlainly({ caller }: Lane, id: string, body: object): Promise<void> {
  await caller.workflow.start('transferStablecoin', {
    workflowId: id,
    taskQueue: 'steadfast',
    args: [body],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
}
