import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { ChainLogs } from '../../../proof/sweep/judge/chainLogs';
import { RefusedError } from '../../../src/custody/errors';
import type { Progress, Status } from '../../../src/orders/progress/status';
import { settled } from '../sandbox';
import { endOf, movedBy, type Placed, place } from './carryOut';
import { deployment, newTransfer, type Play } from './flows';
import { isClosed, type Look, lookAt, type Scene, until } from './scene';

type WriteName = 'createTransfer' | 'deployTemplate' | 'executeContract';

/**
 * Before a write, the service refuses it for now. After it, the write was accepted and is stuck.
 */
export type Stage = `${'before' | 'after'} ${WriteName}`;

type Wallet = { id: string; address: string };

/** An order that a test holds at a stage. Only the test lets it go on. */
export type Held = Placed<Play & { wallet: Wallet }>;

const deploying: readonly WriteName[] = ['deployTemplate', 'executeContract'];
const allWrites: readonly string[] = [
  'createTransfer',
  ...deploying,
  'cancelTransaction',
  'accelerateTransaction',
];

/** Makes all accepted writes stuck from now on. Set up what a scene's orders need before this. */
export async function holdAll({ sandbox }: Scene): Promise<void> {
  const body = { seed: 1, rules: [{ kind: 'stuck' }] };
  const url = `${sandbox.origin}/_sandbox/faults`;
  const { status } = await sandbox.request('POST', url, { headers: {}, body });
  if (status !== 200) throw new Error(`The fault plan was answered with ${status}.`);
}

/** Starts a transfer, or a deployment with a mint, and holds it at a stage. */
export async function holdAt(scene: Scene, stage: Stage): Promise<Held> {
  const [when, name] = stage.split(' ') as ['before' | 'after', WriteName];
  const held = await place(scene, { name, prepare: (_, id) => prepare(scene, { name, id }) });
  await atGate(scene, held);
  if (name === 'executeContract') {
    await open(scene, held, 'deployTemplate');
    await settleStuck(scene, held, [await stuckOf(scene, held)]);
    await atGate(scene, held);
  }
  if (when === 'after') await open(scene, held, name);
  return held;
}

/**
 * Lets an order go on until it ends or a pause holds it. The service accepts its writes and settles
 * them.
 */
export async function letGo(scene: Scene, held: Held): Promise<Look> {
  for (const write of allWrites) shutFor(held, write).map((call) => scene.shut.delete(call));
  await wake(scene, held);
  return until(scene.orders, held, async (look) => {
    if (isClosed(look) || look.status === 'Paused') return true;
    await settleStuck(scene, held, await stuckNow(scene, held));
    return false;
  });
}

/** Waits for the end of an order that ends without further help. */
export function ended(scene: Scene, held: Held): Promise<Look> {
  return until(scene.orders, held, isClosed);
}

/** The order's transaction that the service has accepted and does not settle. */
export async function stuckOf(scene: Scene, held: Held): Promise<string> {
  for (;;) {
    const [id] = await stuckNow(scene, held);
    if (id !== undefined) return id;
    await sleep(50);
  }
}

/** Wakes an order, if it has not ended. */
export async function wake({ orders }: Scene, { id }: Pick<Held, 'id'>): Promise<void> {
  await orders.client.workflow
    .getHandle(id)
    .signal('wake')
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
}

/** The outside view of an order: in Temporal, and on the chain. */
export async function seen(scene: Scene, held: Held) {
  const { orders } = scene;
  const handle = orders.client.workflow.getHandle(held.id);
  const { description, status } = await lookAt(orders, held);
  const progress = await handle.query<Progress>('progress');
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  const details = metadata.currentDetails;
  const events = await eventsOf(scene, held);
  const logs = await scene.logs();
  const isPaused = progress.paused !== undefined || details.includes('**Paused** since');
  return {
    execution: description.status.name,
    ...(description.status.name === 'COMPLETED'
      ? { receipt: receiptIn(await handle.result(), held, logs) }
      : {}),
    // Query, search attribute and details. One word when they agree.
    shown: [...new Set([progress.status, status, /^\*\*(\w+)\*\*/.exec(details)?.[1]])].join(),
    ...(isPaused ? { isPaused } : {}),
    updates: updatesIn(events),
    writes: writesIn(events, 'done'),
    ...movedBy(held, logs),
  };
}

/** Compares a receipt's hashes with the chain's. Returns the receipt's hashes when they differ. */
function receiptIn(result: unknown, { value, id }: Held, { transfers, deployments }: ChainLogs) {
  const onChain = [
    ...deployments.filter(({ name }) => name === id),
    ...transfers.filter((log) => log.value === value),
  ].map(({ txHash }) => txHash);
  const { hashes } = endOf(result);
  return hashes.join() === onChain.join() ? 'as on the chain' : hashes.join();
}

/** The same view, once the order shows this status in every place. */
export async function seenAs(scene: Scene, held: Held, status: Status) {
  const deadline = Date.now() + 100_000;
  for (;;) {
    const now = await seen(scene, held);
    if (now.shown === status || Date.now() > deadline) return now;
    await sleep(100);
  }
}

type Event = temporal.api.history.v1.IHistoryEvent;

export async function eventsOf({ orders }: Scene, { id, runId }: Held): Promise<Event[]> {
  const { events } = await orders.client.workflow.getHandle(id, runId).fetchHistory();
  return events ?? [];
}

/** The names of a run's write activities: all that were scheduled, or only the completed ones. */
export function writesIn(events: readonly Event[], which: 'asked' | 'done'): string[] {
  const done = new Set(
    events.map((event) => Number(event.activityTaskCompletedEventAttributes?.scheduledEventId)),
  );
  return events
    .filter((event) => which === 'asked' || done.has(Number(event.eventId)))
    .map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? '')
    .filter((name) => allWrites.includes(name));
}

/** The updates that a run accepted, each with its error when it failed. */
export function updatesIn(events: readonly Event[]): string[] {
  const outcomes = new Map(
    events.flatMap(({ workflowExecutionUpdateCompletedEventAttributes: completed }) =>
      completed ? [[completed.meta?.updateId, completed.outcome] as const] : [],
    ),
  );
  return events.flatMap(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => {
    if (!accepted) return [];
    const { acceptedRequest } = accepted;
    const outcome = outcomes.get(acceptedRequest?.meta?.updateId);
    const name = acceptedRequest?.input?.name ?? '';
    if (outcome === undefined) return [`${name} (not answered)`];
    return [outcome?.failure ? `${name} (refused)` : name];
  });
}

async function prepare(scene: Scene, { name, id }: { name: WriteName; id: string }) {
  const isTransfer = name === 'createTransfer';
  const play = isTransfer
    ? await newTransfer(scene)
    : deployment(await scene.sandbox.fundedWallet(), id);
  const writes = isTransfer ? [name] : deploying;
  for (const write of writes) shutFor(play, write).map((call) => scene.shut.add(call));
  return play;
}

/** Lets the service accept one write, and waits until that write is stuck. */
async function open(scene: Scene, held: Held, write: WriteName): Promise<void> {
  for (const call of shutFor(held, write)) scene.shut.delete(call);
  await wake(scene, held);
  await stuckOf(scene, held);
  await scene.orders.progress(held.id, ({ status }) => status === 'Settling');
}

/** The names of a write's calls: a call names its wallet by id or by address. */
function shutFor({ wallet }: Pick<Held, 'wallet'>, write: string): string[] {
  return [wallet.id, wallet.address.toLowerCase()].map((name) => `${write} ${name}`);
}

async function atGate({ orders }: Scene, { id }: Held): Promise<void> {
  await orders.progress(id, ({ status }) => status === 'NeedsOperator');
}

async function stuckNow({ sandbox }: Scene, { wallet }: Held): Promise<string[]> {
  const { transactions } = await sandbox.client.listTransactions({ walletIds: wallet.id });
  return transactions.filter(({ state }) => state === 'STUCK').map(({ id }) => id);
}

/** Accelerates stuck transactions, as the service's operator would, so that they settle. */
export async function settleStuck(scene: Scene, held: Held, stuck: string[]): Promise<void> {
  const { client } = scene.sandbox;
  for (const id of stuck) {
    const accelerated = client.accelerateTransaction({ id, idempotencyKey: randomUUID() });
    // The call is refused when the order itself has accelerated the transaction by now.
    await accelerated.catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error;
    });
    await settled(client, id);
    await wake(scene, held);
  }
}
