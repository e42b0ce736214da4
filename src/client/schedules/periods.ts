import { WorkflowFailedError } from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { closeKind } from '../../orders/schedule/dailyClose';
import { spanOf } from '../../orders/schedule/period';
import { timesIn } from '../../orders/schedule/rhythm';
import type { PeriodStart } from '../../orders/schedule/schedule';
import type { StartedPeriod } from '../temporal/startOnce';
import { askSchedule, type NamedSchedule, periodsOf, startIn } from './parts';

/** Permissions for a period that is started by its name. */
export type Triggering = {
  /** True if a period from before the schedule was created is to be started too. */
  beforeCreation?: boolean | undefined;
};

/** Starts the order of one period, or attaches to it. */
export async function triggerPeriod(
  place: NamedSchedule,
  period: string,
  { beforeCreation }: Triggering = {},
): Promise<StartedPeriod> {
  const told = await askSchedule(place, () => place.handle.describe());
  const start = startIn(told);
  if (spanOf(start.template, period) === undefined) {
    throw new BadOrderError(`period: ${shown(period)} is not of the form ${start.template}.`);
  }
  if (beforeCreation !== true) refuseEarly({ ...start, period }, place.id, told.info.createdAt);
  const { client, scheduleId, taskQueue } = place;
  type Workflow = (start: PeriodStart) => Promise<StartedPeriod>;
  try {
    return await client.workflow.execute<Workflow>('startPeriod', {
      workflowId: `schedule:${scheduleId}:${period}`,
      taskQueue,
      args: [{ ...start, period }],
      // The id of the order makes a period unique. This workflow only asks for it.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: `${period} of ${scheduleId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    throw new BadOrderError(error.cause?.message ?? error.message);
  }
}

/** Throws a BadOrderError if a period that pays was due before its schedule was there. */
function refuseEarly(start: PeriodStart & { period: string }, id: string, createdAt: Date): void {
  const { kind, template, period } = start;
  const span = spanOf(template, period);
  if (kind === closeKind || span === undefined) return;
  const times = timesIn(start, span, Number.POSITIVE_INFINITY);
  const found = periodsOf(start, times).find((one) => one.period === period);
  if (found === undefined || Date.parse(found.at) >= createdAt.getTime()) return;
  throw new BadOrderError(
    `period: ${period} lies before ${id} was created, at ${createdAt.toISOString()}. If it is to ` +
      'be paid all the same, and no earlier schedule or person has paid it, add --before-creation.',
  );
}
