import { WorkflowFailedError } from '@temporalio/client';
import { periodAt, spanOf } from '../../orders/schedule/period';
import type { PeriodStart } from '../../orders/schedule/schedule';
import type { NamedSchedule } from './parts';

/** A period whose order was not started, by the run that stands for it. */
export type Trouble = { workflowId: string; why: string };

const troublesMax = 3;
/** Each failed start costs a question. */
const runsMax = 50;
const patienceMs = 3_600_000;

/**
 * The periods of a schedule whose orders were not started, newest first. Their start has failed,
 * and none has succeeded since. Or it still waits, an hour after its jitter.
 */
export async function troublesOf(place: NamedSchedule, start: PeriodStart): Promise<Trouble[]> {
  const { client, scheduleId } = place;
  const begin = `schedule:${scheduleId}`;
  const lateMs = Date.now() - start.jitterMs - patienceMs;
  const query =
    `WorkflowId STARTS_WITH '${begin}' AND (ExecutionStatus = 'Failed' OR ` +
    `(ExecutionStatus = 'Running' AND StartTime <= '${new Date(lateMs).toISOString()}'))`;
  const troubles: Trouble[] = [];
  let left = runsMax;
  for await (const run of client.workflow.list({ query, pageSize: runsMax })) {
    const { workflowId, runId, startTime, status } = run;
    const period = periodIn(workflowId.slice(begin.length), start);
    const isTrigger = workflowId === `${begin}:${period}`;
    // The person who triggers a period hears at once why it is not started.
    if (period === undefined || (isTrigger && status.name === 'FAILED')) continue;
    left -= 1;
    if (left < 0) break;
    if (status.name === 'RUNNING') {
      troubles.push({ workflowId, why: waiting(startTime) });
    } else {
      const since = `StartTime > '${startTime.toISOString()}' AND ExecutionStatus = 'Completed'`;
      const ids = `WorkflowId IN ('${workflowId}', '${begin}:${period}')`;
      const { count } = await client.workflow.count(`${ids} AND ${since}`);
      if (count > 0) continue;
      troubles.push({ workflowId, why: await reasonOf(place, workflowId, runId) });
    }
    if (troubles.length === troublesMax) break;
  }
  return troubles;
}

/**
 * The period in the end of a run's id: a time of the schedule, or the period that a person named.
 * Undefined for a run of another schedule, whose id may begin with this one's.
 */
function periodIn(end: string, { template, timeZone }: PeriodStart): string | undefined {
  const time = /^-(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(end)?.[1];
  if (time !== undefined) return periodAt(template, Date.parse(time), timeZone);
  const named = end.slice(1);
  return end.startsWith(':') && spanOf(template, named) !== undefined ? named : undefined;
}

function waiting(startTime: Date): string {
  return (
    `It has waited since ${startTime.toISOString()}. See its pending activity in Temporal UI, and ` +
    'whether workers run.'
  );
}

async function reasonOf(
  { client }: NamedSchedule,
  workflowId: string,
  runId: string,
): Promise<string> {
  return client.workflow
    .getHandle(workflowId, runId, { followRuns: false })
    .result()
    .then(() => '', reasonIn);
}

function reasonIn(error: unknown): string {
  const cause = error instanceof WorkflowFailedError ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
