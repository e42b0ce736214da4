import { WorkflowFailedError } from '@temporalio/client';
import { DateTime } from 'luxon';
import type { StartedPeriod } from '../../../workflows/startPeriod';
import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { dayIn } from '../../orders/schedule/localTime';
import { spanOf } from '../../orders/schedule/period';
import { whenOf } from '../../orders/schedule/rhythm';
import type { PeriodStart } from '../../orders/schedule/schedule';
import { matchingTimes, matchingTimesMax } from '../../temporal/matchingTimes';
import { asked, type ComingPeriod, type Named, periodsOf, startIn } from './parts';

/** Starts the order of one period, or attaches to it. */
export async function triggerPeriod(place: Named, period: string): Promise<StartedPeriod> {
  const start = startIn(await asked(place, () => place.handle.describe()));
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

/** From the first day to the last, both whole, in the time zone of the schedule. */
export type Days = { from: string; to: string };

/**
 * Has Temporal start all periods between two days. A period that was started before stays one
 * order. A paused schedule is refused: Temporal would start its periods, and none would pay.
 */
export async function backfillPeriods(place: Named, days: Days): Promise<ComingPeriod[]> {
  const told = await asked(place, () => place.handle.describe());
  const start = startIn(told);
  if (told.state.paused) {
    throw new BadOrderError(
      `id: the schedule "${place.id}" is paused, and starts no periods. Resume it, and backfill ` +
        `then: npx steadfast schedule resume ${place.id}`,
    );
  }
  const [from] = dayIn(start.timeZone, dayOf('from', days.from));
  const [, end] = dayIn(start.timeZone, dayOf('to', days.to));
  if (end < from) throw new BadOrderError(`to: ${days.to} is before ${days.from}.`);
  const times = await matchingTimes(place.client, place.scheduleId, [from - 1_000, end]);
  if (times.length === 0) {
    throw new BadOrderError(`from: ${whenOf(start)} has no time from ${days.from} to ${days.to}.`);
  }
  if (times.length === matchingTimesMax) {
    throw new BadOrderError(
      `to: from ${days.from} to ${days.to} there are ${times.length} periods or more. ` +
        'Give fewer days at a time.',
    );
  }
  const overlap = 'ALLOW_ALL';
  await place.handle.backfill({ start: new Date(from), end: new Date(end), overlap });
  return periodsOf(start, times);
}

function dayOf(field: string, text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text).isValid) return text;
  throw new BadOrderError(`${field}: ${shown(text)} is not a day: give one such as 2026-01-31.`);
}
