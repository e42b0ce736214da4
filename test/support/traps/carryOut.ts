import { randomUUID } from 'node:crypto';
import {
  ApplicationFailure,
  CancelledFailure,
  WorkflowFailedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { ChainLogs } from '../../../proof/sweep/judge/chainLogs';
import type { Flow, Play } from './flows';
import { isClosed, lookAt, type Scene, until } from './scene';

/** An order that was started, and its first run. */
export type Placed<P extends Play = Play> = P & { id: string; runId: string };

/** The end of a run: the hashes of its writes, or the reason of its failure. */
export type End = { status: string; hashes: string[]; why: string };

/** Prepares an order and starts it, as a backend would. */
export async function place<P extends Play>(scene: Scene, flow: Flow<P>): Promise<Placed<P>> {
  const id = `trap:${randomUUID()}`;
  const play = await flow.prepare(scene, id);
  const { runId } = await scene.orders.steadfast.start(play.kind, id, play.order as never);
  return { ...play, id, runId };
}

/** Starts an order by name with plain JSON, and with any earlier use of its id allowed. */
export async function startAgain(
  { orders }: Scene,
  { id, kind, order }: Placed,
  options: Partial<WorkflowStartOptions> = {},
): Promise<string> {
  const handle = await orders.client.workflow.start(kind, {
    workflowId: id,
    taskQueue: orders.taskQueue,
    args: [order],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    ...options,
  });
  return handle.firstExecutionRunId;
}

/** Waits for a run's end. Meanwhile it acts as the order's owner or an operator would. */
export async function carryOut(scene: Scene, placed: Placed, runId: string): Promise<End> {
  const { orders } = scene;
  const { id, act = {} } = placed;
  const { workflow } = orders.client;
  const done = new Set<string>();
  // The id's newest run is this run, or one that continues it.
  await until(orders, { id }, async (look) => {
    if (isClosed(look)) return true;
    const deed = act[look.status];
    if (deed === undefined || done.has(look.status)) return false;
    // A reset run first shows the old run's progress, so an update can come too early.
    const args: [object] = [await deed.argument()];
    const heard = workflow.getHandle(id).executeUpdate(deed.update, { args });
    if (await heard.then(Boolean, () => false)) done.add(look.status);
    return false;
  });
  const result = await workflow
    .getHandle(id, runId)
    .result()
    .catch((error: unknown) => error);
  return endOf(result);
}

/** The running run of an order, or its last one. */
export async function lastRun({ orders }: Scene, { id }: Placed): Promise<string> {
  return (await lookAt(orders, { id })).description.runId;
}

/** The end of a run with this result or error. */
export function endOf(result: unknown): End {
  if (!(result instanceof WorkflowFailedError)) {
    const { txHash, supply } = result as { txHash?: string; supply?: { mintTxHash?: string } };
    const hashes = [txHash, supply?.mintTxHash].flatMap((hash) => hash ?? []);
    return { status: 'COMPLETED', hashes, why: '' };
  }
  const { cause } = result;
  if (cause instanceof CancelledFailure) return { status: 'CANCELLED', hashes: [], why: '' };
  const type = cause instanceof ApplicationFailure ? cause.type : cause?.name;
  return { status: `${type}`, hashes: [], why: `${cause?.message}` };
}

/**
 * The chain's proof of an order: how often its money moved, and how often its contract was
 * deployed.
 */
export function movedBy({ value, id }: Placed, { transfers, deployments }: ChainLogs) {
  return {
    transfers: transfers.filter((log) => log.value === value).length,
    deployments: deployments.filter(({ name }) => name === id).length,
  };
}

/** Expects the chain to show what an order was to move, and nothing else of it. */
export async function expectMoved(
  scene: Scene,
  placed: Placed,
  moved = intendedBy(placed),
): Promise<void> {
  expect(movedBy(placed, await scene.logs())).toEqual(moved);
}

/** The movements that the chain must show for an order. */
export function intendedBy({ kind, moves }: Placed) {
  return { transfers: moves, deployments: kind === 'deploymentSequence' ? 1 : 0 };
}
