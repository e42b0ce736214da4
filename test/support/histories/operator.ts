import { randomUUID } from 'node:crypto';
import type { Progress } from '../../../src/orders/progress/status';
import type { Scene } from './road';

/** Waits until an order's progress satisfies the condition, and returns that progress. */
export function untilShown(
  { orders, id }: Scene,
  isWished: (progress: Progress) => boolean,
): Promise<Progress> {
  return orders.progress(id, isWished);
}

/** Cancels an order. */
export async function cancelOrder({ orders, id }: Scene): Promise<void> {
  await orders.steadfast.cancel(id, 'changed our mind');
}

/** Resets the newest run of an order to the workflow task with this number. */
export async function resetRun({ orders, id, handle }: Scene, task: number): Promise<void> {
  const { events } = await handle.fetchHistory();
  const tasks = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
  await orders.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: id },
    workflowTaskFinishEventId: tasks[task - 1]?.eventId ?? null,
    requestId: randomUUID(),
    reason: 'to be recorded',
  });
}

/** The transaction that an order waits for, and an idempotency key for a request about it. */
export function transactionOf({ waitingFor }: Progress): { id: string; idempotencyKey: string } {
  const [, id] = waitingFor.match(/transaction ([0-9a-f-]{36})/) ?? [];
  if (id === undefined) throw new Error(`The order names no transaction: ${waitingFor}`);
  return { id, idempotencyKey: randomUUID() };
}
