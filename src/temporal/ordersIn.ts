import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { orderKinds } from '../orders/kinds';
import { memoryKey } from '../orders/progress/status';

/** An order that Temporal knows, and the one payment that it orders, if it orders one. */
export type OrderIn = { id: string; status: string; pays?: { to: string; amount: string } };

/** The memo of a transfer, as the guard writes it. */
const transferMemo = z.object({
  money: z.object({
    kind: z.literal('transferStablecoin'),
    to: z.string(),
    amount: z.string(),
  }),
});

/** Lists the orders that run, or that have ended in a period, as Temporal's visibility shows them. */
export async function* ordersIn(
  client: Client,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): AsyncGenerator<OrderIn> {
  const types = orderKinds.map((kind) => `'${kind}'`).join(', ');
  const query =
    `WorkflowType IN (${types}) AND StartTime < '${iso(untilMs)}' AND ` +
    `(ExecutionStatus = 'Running' OR CloseTime >= '${iso(fromMs)}')`;
  for await (const run of client.workflow.list({ query, pageSize: 1_000 })) {
    const { data } = transferMemo.safeParse(run.memo?.[memoryKey]);
    yield {
      id: run.workflowId,
      status: run.status.name,
      ...(data === undefined ? {} : { pays: { to: data.money.to, amount: data.money.amount } }),
    };
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
