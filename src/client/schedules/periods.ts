import { WorkflowFailedError } from '@temporalio/client';
import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { spanOf } from '../../orders/schedule/period';
import type { PeriodStart } from '../../orders/schedule/schedule';
import type { StartedPeriod } from '../temporal/startOnce';
import { askSchedule, type NamedSchedule, startIn } from './parts';

/** Starts the order of one period, or attaches to it. */
export async function triggerPeriod(place: NamedSchedule, period: string): Promise<StartedPeriod> {
  const start = startIn(await askSchedule(place, () => place.handle.describe()));
  if (spanOf(start.template, period) === undefined) {
    throw new BadOrderError(`period: ${shown(period)} is not of the form ${start.template}.`);
  }
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
