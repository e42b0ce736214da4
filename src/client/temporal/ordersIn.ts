import type { Client } from '@temporalio/client';
import { decodeOptionalSinglePayload } from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { z } from 'zod';
import { orderKinds } from '../../orders/kinds';
import type { KnownOrder } from '../../orders/progress/knownOrder';
import { type AttributeName, memoryKey } from '../../orders/progress/status';

const {
  WORKFLOW_EXECUTION_STATUS_RUNNING: running,
  WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW: continuedAsNew,
} = temporal.api.enums.v1.WorkflowExecutionStatus;
const pageSize = 1_000;

/** The memo of a transfer, as the guard writes it. */
const transferMemo = z.object({
  money: z.object({
    kind: z.literal('transferStablecoin'),
    to: z.string(),
    amount: z.string(),
  }),
});

/**
 * Lists the orders that run, or that have ended in a period, as Temporal's visibility shows them.
 * The list begins with the newest run of an order, and that one counts.
 */
export async function* ordersIn(
  client: Client,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): AsyncGenerator<KnownOrder> {
  const types = orderKinds.map((kind) => `'${kind}'`).join(', ');
  const query =
    `WorkflowType IN (${types}) AND StartTime < '${iso(untilMs)}' AND ` +
    `(ExecutionStatus = 'Running' OR CloseTime >= '${iso(fromMs)}')`;
  const listed = new Set<string>();
  for await (const run of runsIn(client, query)) {
    const { execution, memo } = run;
    const id = execution?.workflowId ?? '';
    if (listed.has(id)) continue;
    listed.add(id);
    const { status, closeTime } = await lastOf(client, run);
    const endedAs = endOf(run);
    const { data } = transferMemo.safeParse(await memoryIn(client, memo));
    yield {
      id,
      isRunning: status === running,
      ...(closeTime ? { endedMs: Number(closeTime.seconds) * 1_000 } : {}),
      ...(data === undefined ? {} : { pays: { to: data.money.to, amount: data.money.amount } }),
      ...(endedAs === undefined ? {} : { endedAs }),
    };
  }
}

type Run = temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** The run as which an order goes on. It may have begun after the period, so that no list has it. */
async function lastOf({ options, workflowService }: Client, run: Run): Promise<Run> {
  if (run.status !== continuedAsNew) return run;
  const { namespace } = options;
  const execution = { workflowId: run.execution?.workflowId ?? '' };
  const newest = await workflowService.describeWorkflowExecution({ namespace, execution });
  return newest.workflowExecutionInfo ?? run;
}

/**
 * The word for the end of a transfer that says that nothing was paid. A start that was refused says
 * nothing about an earlier run of the same id.
 */
function endOf({ type, searchAttributes }: Run): string | undefined {
  if (type?.name !== 'transferStablecoin') return undefined;
  const name: AttributeName = 'SteadfastStatus';
  const { data } = searchAttributes?.indexedFields?.[name] ?? {};
  const word: unknown = data && JSON.parse(Buffer.from(data).toString());
  return ['Failed', 'Cancelled'].find((end) => end === word);
}

/**
 * Lists runs as the server has them. The client's own list decodes each memo, and so one order of
 * somebody else's, with other keys, would end it.
 */
export async function* runsIn(client: Client, query: string): AsyncGenerator<Run> {
  const { namespace } = client.options;
  for (let nextPageToken: Uint8Array = new Uint8Array(); ; ) {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      pageSize,
      nextPageToken,
    });
    yield* page.executions;
    nextPageToken = page.nextPageToken;
    if (nextPageToken.length === 0) return;
  }
}

/** The memory of an order. Undefined if it is encrypted with a key that is not here. */
export async function memoryIn({ options }: Client, memo: Run['memo']): Promise<unknown> {
  const payload = memo?.fields?.[memoryKey];
  try {
    return payload && (await decodeOptionalSinglePayload(options.loadedDataConverter, payload));
  } catch {
    return undefined;
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
