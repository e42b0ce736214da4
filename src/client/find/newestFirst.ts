import type { WorkflowClient, WorkflowExecutionInfo } from '@temporalio/client';

/** A page of a list that shows a hundred orders. */
const pageUsual = 200;

/**
 * Lists runs by their start, newest first. Temporal sorts running ones by their start, and others
 * by their end. A run begins before it ends, so an unread one began before the last end that was
 * read. Few runs are read beside those that are wanted.
 */
export async function* newestFirst(
  workflow: WorkflowClient,
  query: string,
  { sinceMs = 0, pageSize = pageUsual } = {},
): AsyncGenerator<WorkflowExecutionInfo> {
  const since = sinceMs === 0 ? '' : ` AND StartTime >= '${new Date(sinceMs).toISOString()}'`;
  const listed = (status: string): AsyncIterator<WorkflowExecutionInfo> => {
    const own = `${query}${since} AND ExecutionStatus ${status} 'Running'`;
    return workflow.list({ query: own, pageSize })[Symbol.asyncIterator]();
  };
  // Runs that go on are read first, so that a run that ends meanwhile is in both lists.
  const running = listed('=');
  let runs = await running.next();
  const over = byStart(listed('!='));
  const seen = new Set<string>();
  for (;;) {
    const one = runs.done ? undefined : runs.value;
    const other = await over.newest();
    const next = isNewer(one, other) ? one : other;
    if (next === undefined) return;
    if (next === one) runs = await running.next();
    else over.take();
    if (seen.has(next.runId)) continue;
    seen.add(next.runId);
    yield next;
  }
}

/** Sorts runs that come by their end by their start. */
function byStart(ended: AsyncIterator<WorkflowExecutionInfo>) {
  /** Runs that were read, the newest last. */
  const read: WorkflowExecutionInfo[] = [];
  /** No unread run began later. */
  let latestMs = Number.POSITIVE_INFINITY;
  const readOne = async (): Promise<void> => {
    const { done, value } = await ended.next();
    latestMs = done ? Number.NEGATIVE_INFINITY : (value.closeTime?.getTime() ?? latestMs);
    if (done) return;
    const at = read.findLastIndex(
      (known) => known.startTime.getTime() <= value.startTime.getTime(),
    );
    read.splice(at + 1, 0, value);
  };
  return {
    newest: async (): Promise<WorkflowExecutionInfo | undefined> => {
      while (latestMs > (read.at(-1)?.startTime.getTime() ?? Number.NEGATIVE_INFINITY)) {
        await readOne();
      }
      return read.at(-1);
    },
    take: () => read.pop(),
  };
}

function isNewer(one: WorkflowExecutionInfo | undefined, other: WorkflowExecutionInfo | undefined) {
  if (one === undefined) return false;
  return other === undefined || one.startTime.getTime() > other.startTime.getTime();
}
