import type { WorkflowClient, WorkflowExecutionInfo } from '@temporalio/client';

/** Runs that are sorted together. */
const sortedUsual = 1_000;
/** A clock of Temporal's may be ahead of ours. */
const aheadMs = 86_400_000;

type Span = { fromMs: number; untilMs: number; sortedMax: number };

/**
 * Lists runs by their start, newest first. Temporal sorts by the end, and shows what runs before
 * all of it. So a time with many runs is halved until they can be sorted here.
 */
export function newestFirst(
  workflow: WorkflowClient,
  query: string,
  { sinceMs = 0, sortedMax = sortedUsual } = {},
): AsyncGenerator<WorkflowExecutionInfo> {
  const span = { fromMs: sinceMs, untilMs: Date.now() + aheadMs };
  return within(workflow, query, { ...span, sortedMax });
}

async function* within(
  workflow: WorkflowClient,
  query: string,
  { fromMs, untilMs, sortedMax }: Span,
): AsyncGenerator<WorkflowExecutionInfo> {
  const inSpan = `${query} AND StartTime >= '${iso(fromMs)}' AND StartTime < '${iso(untilMs)}'`;
  const middleMs = Math.floor((fromMs + untilMs) / 2);
  if (middleMs > fromMs && (await workflow.count(inSpan)).count > sortedMax) {
    yield* within(workflow, query, { fromMs: middleMs, untilMs, sortedMax });
    yield* within(workflow, query, { fromMs, untilMs: middleMs, sortedMax });
    return;
  }
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of workflow.list({ query: inSpan, pageSize: sortedMax })) runs.push(run);
  yield* runs.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
