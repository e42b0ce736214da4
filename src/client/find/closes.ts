import { ApplicationFailure, type Client, WorkflowFailedError } from '@temporalio/client';
import type { Closed } from '../../books/reconcile/closeDay';
import { isRecord } from '../../custody/isRecord';
import { messageOf } from '../../orders/input/systemFault';
import { closeKind, dayInCloseId } from '../../orders/schedule/dailyClose';
import { withoutMemos } from '../temporal/withoutMemos';
import { newestFirst } from './newestFirst';

/** A close as Temporal knows it. */
export type Ended = {
  workflowId: string;
  /** Temporal's word, such as COMPLETED. */
  execution: string;
  result?: Closed;
  /** Why there is no result. */
  error?: string;
  /** Set if a person has to mend something first. */
  needsOperator?: true;
};

/** Reads the result of a run of a close, by default the newest one. */
export async function readEnd(client: Client, workflowId: string, runId?: string): Promise<Ended> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const execution = (await handle.describe()).status.name;
  if (execution === 'RUNNING') return { workflowId, execution };
  try {
    const result: unknown = await handle.result();
    return isClosed(result) ? { workflowId, execution, result } : { workflowId, execution };
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : error;
    const needsOperator = cause instanceof ApplicationFailure && cause.type === 'NeedsOperator';
    const told = { workflowId, execution, error: messageOf(cause) };
    return needsOperator ? { ...told, needsOperator } : told;
  }
}

function isClosed(result: unknown): result is Closed {
  return isRecord(result) && typeof result.summary === 'string' && Array.isArray(result.rows);
}

/** A run of a close in Temporal's list. */
export type CloseRun = {
  workflowId: string;
  runId: string;
  day: string;
  startedAt: string;
  /** Temporal's word, such as COMPLETED. */
  execution: string;
};

/** The closes of a scope that were started last: at most so many, each by its newest run. */
export async function newestCloses(
  client: Client,
  { most, keyScope }: { most: number; keyScope: string },
): Promise<CloseRun[]> {
  const found = new Map<string, CloseRun>();
  const { workflow } = withoutMemos(client);
  for await (const run of newestFirst(workflow, `WorkflowType = '${closeKind}'`)) {
    const { workflowId, runId, startTime, status } = run;
    const day = dayInCloseId(workflowId, keyScope);
    if (day === undefined || found.has(workflowId)) continue;
    const startedAt = startTime.toISOString();
    found.set(workflowId, { workflowId, runId, day, startedAt, execution: status.name });
    if (found.size >= most) break;
  }
  return [...found.values()];
}
