import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';
import { explorerPage } from '../custody/networks/explorerPage';
import { BadOrderError } from '../orders/input/read';
import { isKind } from '../orders/kinds';
import { payoutReceipt } from '../orders/payout';
import { type AttributeName, memoryKey, type Progress } from '../orders/progress/status';
import { orderOfRun } from './closedRun';
import { progressOf } from './progress';
import { unexpiredRequest } from './signing/stillCounting';
import { type PaidBefore, paidBefore } from './standingRun';
import { OrderError, orderError } from './started';
import { taskFault } from './temporal/taskFault';

/** The state of an order, from Temporal's description and the order's own progress. */
export type OrderStatus = {
  workflowId: string;
  runId: string;
  kind: string;
  /** Temporal's word: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT. */
  execution: string;
  /** When the order itself began, which may be several runs ago. */
  startedAt: string;
  closedAt: string | undefined;
  historyEvents: number;
  /** The order's own words. Undefined while no worker answers. */
  progress: Progress | undefined;
  /** Why workers cannot go on with it, while none tells its progress. */
  taskFault?: string;
  receipt: unknown;
  /** The explorer's pages about the transactions of the receipt. A sandbox has none. */
  pages?: string[];
  /** Why it ended without a receipt. */
  error: string | undefined;
  /** The last status that the order set. Absent on a namespace without our search attributes. */
  lastStatus?: string;
  /**
   * The reason in one word why it ended without a receipt. Temporal's FAILED stands for two of
   * them.
   */
  outcome?: OrderError['outcome'];
  /** The final record of a failed transaction or contract. */
  record?: unknown;
  /** The results of earlier steps. */
  made?: unknown;
  /** The receipt of an earlier run of the same id, where the newest run has none. */
  paidBefore?: PaidBefore;
  /** The end of its request, unless it was withdrawn. A receipt of one write spends the request. */
  signedUntil?: string;
};

/** Reads the state of an order. Only an order that runs, or ran lately, can tell its progress. */
export async function readStatus(client: Client, workflowId: string): Promise<OrderStatus> {
  const handle = client.workflow.getHandle(workflowId);
  const run = await handle.describe();
  const status = {
    workflowId,
    runId: run.runId,
    kind: run.type,
    execution: run.status.name,
    startedAt: (await beganAt(client, run)).toISOString(),
    closedAt: run.closeTime?.toISOString(),
    historyEvents: run.historyLength,
    progress: await progressOf(client, workflowId),
    receipt: undefined,
    error: undefined,
    ...lastStatusOf(run),
  };
  if (run.status.name === 'RUNNING') return { ...status, ...(await faultOf(client, status)) };
  if (run.status.name === 'COMPLETED' && !isKind(run.type)) {
    throw new BadOrderError(`id: ${workflowId} is a ${run.type}, and no order.`);
  }
  try {
    const receipt: unknown = await handle.result();
    const until = hasLeft(receipt) ? await signedUntilOf(client, run) : {};
    return { ...status, receipt, ...pagesOf(run, receipt), ...until };
  } catch (error) {
    const told = orderError(workflowId, error);
    const earlier = await paidBefore(client, run);
    const until = {
      ...(await signedUntilOf(client, run)),
      ...(earlier === undefined ? {} : { paidBefore: earlier }),
    };
    if (!(told instanceof OrderError)) {
      return { ...status, ...until, error: told instanceof Error ? told.message : String(told) };
    }
    const { message, outcome, record, made } = told;
    return { ...status, ...until, error: message, outcome, record, made };
  }
}

/** True for a payout with lines that can be sent again because of its request. */
function hasLeft(receipt: unknown): boolean {
  const { data } = payoutReceipt.safeParse(receipt);
  return data !== undefined && data.paid < data.lines;
}

const place = z.object({ baseUrl: z.url(), blockchain: z.string() });
const made = z.object({ txHash: z.string(), mintTxHash: z.string() }).partial();

function pagesOf(
  { memo }: WorkflowExecutionDescription,
  receipt: unknown,
): Pick<OrderStatus, 'pages'> {
  const { data: at } = place.safeParse(memo?.[memoryKey]);
  const { data: hashes } = made.safeParse(receipt);
  if (at === undefined || hashes === undefined) return {};
  const where = { blockchain: at.blockchain, service: at.baseUrl };
  const pages = [hashes.txHash, hashes.mintTxHash].flatMap((hash) =>
    hash === undefined ? [] : (explorerPage(where, `tx/${hash}`) ?? []),
  );
  return pages.length === 0 ? {} : { pages };
}

async function faultOf(
  client: Client,
  { workflowId, runId, progress }: OrderStatus,
): Promise<{ taskFault?: string }> {
  if (progress !== undefined) return {};
  const fault = await taskFault(client, { workflowId, runId }).catch(() => undefined);
  return fault === undefined ? {} : { taskFault: fault };
}

/** An order that is over sends nothing, and yet somebody else could send what was signed for it. */
async function signedUntilOf(
  client: Client,
  run: WorkflowExecutionDescription,
): Promise<{ signedUntil?: string }> {
  const order = await orderOfRun(client, run).catch(() => undefined);
  const request = unexpiredRequest(order?.request);
  return request === undefined ? {} : { signedUntil: request.statement.expires };
}

function lastStatusOf({ searchAttributes }: WorkflowExecutionDescription): {
  lastStatus?: string;
} {
  const name: AttributeName = 'SteadfastStatus';
  const [told] = searchAttributes[name] ?? [];
  return told === undefined ? {} : { lastStatus: String(told) };
}

/** An order that has continued as new began with the first of its runs. */
async function beganAt(client: Client, run: WorkflowExecutionDescription): Promise<Date> {
  const first = run.raw.workflowExecutionInfo?.firstRunId;
  if (!first || first === run.runId) return run.startTime;
  try {
    return (await client.workflow.getHandle(run.workflowId, first).describe()).startTime;
  } catch {
    // Temporal has forgotten it by now.
    return run.startTime;
  }
}
