import { patched, workflowInfo } from '@temporalio/workflow';

/** When a run was seen to have been reset. Unset: it was not. */
export type Doubt = { doubtedAtMs?: number | undefined };

/** True if the run may have done more than it remembers. Every write then counts as ambiguous. */
export function wasReset({ carried }: { carried: Doubt }): boolean {
  return carried.doubtedAtMs !== undefined;
}

/** True for a run that was reset, and has not noted it yet. It leaves no trace in the history. */
export function hasForgotten({ carried }: { carried: Doubt }): boolean {
  if (wasReset({ carried })) return false;
  const { runId, originalExecutionRunId } = workflowInfo();
  return runId !== originalExecutionRunId;
}

/**
 * Notes that the run was reset. Each turn of an order asks for it first, and so does each answer
 * that has come. A reset run first replays a part of the old run. The old run did not doubt that
 * part, so the replay must not doubt it either. A patch marks where the part ends. Every replay
 * asks for the patch. The run ids alone do not tell: a history that is replayed elsewhere has the
 * old run's id. A second reset keeps the first one's patch. If the patch is not in the history,
 * asking leaves no trace.
 */
export function noteReset({ carried }: { carried: Doubt }): void {
  const { runId, originalExecutionRunId, unsafe } = workflowInfo();
  if (wasReset({ carried }) || (runId === originalExecutionRunId && !unsafe.isReplaying)) return;
  if (patched('reset')) carried.doubtedAtMs = Date.now();
}
