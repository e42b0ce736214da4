import { WorkflowFailedError } from '@temporalio/client';
import type { StartedPeriod } from '../../../workflows/startPeriod';
import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { dayBegins } from '../../orders/schedule/localTime';
import { spanOf } from '../../orders/schedule/period';
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
 * order.
 */
export async function backfillPeriods(place: Named, days: Days): Promise<ComingPeriod[]> {
  const start = startIn(await asked(place, () => place.handle.describe()));
  const from = dayBegins(dayOf('from', days.from), start.timeZone);
  const [year, month, day] = dayOf('to', days.to);
  const end = dayBegins([year, month, day + 1], start.timeZone) - 1_000;
  if (end < from) throw new BadOrderError(`to: ${days.to} is before ${days.from}.`);
  const times = await matchingTimes(place.client, place.scheduleId, [from - 1_000, end]);
  if (times.length === 0) {
    const { when } = start;
    throw new BadOrderError(`from: ${when} has no time from ${days.from} to ${days.to}.`);
  }
  if (times.length === matchingTimesMax) {
    throw new BadOrderError(
      `to: from ${days.from} to ${days.to} there are ${times.length} periods or more. ` +
        'Give fewer days at a time.',
    );
  }
  const overlap = 'ALLOW_ALL';
  await place.handle.backfill({ start: new Date(from), end: new Date(end), overlap });
  return periodsOf(
    start,
    times.map((atMs) => new Date(atMs)),
  );
}

function dayOf(field: string, text: string): readonly [number, number, number] {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const parts = [Number(year), Number(month), Number(day)] as const;
  const isDay = new Date(Date.UTC(parts[0], parts[1] - 1, parts[2])).getUTCDate() === parts[2];
  if (isDay) return parts;
  throw new BadOrderError(`${field}: ${shown(text)} is not a day: give one such as 2026-01-31.`);
}
