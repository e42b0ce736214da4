import type { ScheduleSpec } from '@temporalio/client';
import { dayIn } from '../../orders/schedule/localTime';
import {
  cronOf,
  endOfTime,
  inSeconds,
  type Rhythm,
  type Timed,
  timesIn,
} from '../../orders/schedule/rhythm';
import type { PeriodStart, ReadSchedule } from '../../orders/schedule/schedule';
import { firstPairs } from '../../orders/starting';
import { hasSearchAttributes } from '../temporal/searchAttributes';
import { idsBeginOf, type NamedSchedule } from './parts';
import { calendarsOf } from './times/calendars';
import { forwardDays } from './times/forwardDays';

/** The argument of a schedule's periods, as its owner has given it. */
export function startOf(place: NamedSchedule, read: ReadSchedule): PeriodStart {
  const { scheduleId } = place;
  const { kind, order, period: template, timeZone, jitter: jitterMs = 0 } = read;
  const idsBegin = idsBeginOf(place, kind);
  return {
    scheduleId,
    kind,
    order,
    idsBegin,
    template,
    timeZone,
    rhythm: rhythmOf(read),
    jitterMs,
  };
}

/** Its periods are counted from now on. So their number is a last moment. */
function rhythmOf(read: ReadSchedule): Rhythm {
  const { cron, every, offset, holidays, calendar, leavesOut, until, runs, timeZone } = read;
  const rhythm = {
    ...(holidays === undefined ? {} : { holidays }),
    ...(calendar === undefined ? {} : { calendar }),
    ...(leavesOut === undefined ? {} : { leavesOut }),
    ...(cron === undefined ? {} : { cron }),
    ...(every === undefined ? {} : { every: inSeconds(every) }),
    ...(offset === undefined ? {} : { offset: inSeconds(offset) }),
    ...(until === undefined ? {} : { until: inUtc(endOf(until, timeZone)) }),
  };
  if (runs === undefined) return rhythm;
  const times = timesIn({ rhythm, timeZone }, [Date.now(), endOfTime], runs);
  return times.length < runs ? rhythm : { ...rhythm, until: inUtc(times.at(-1) ?? endOfTime) };
}

/** A day counts to its end. */
function endOf(until: string, timeZone: string): number {
  return until.includes('T') ? Date.parse(until) : dayIn(timeZone, until)[1];
}

function inUtc(atMs: number): string {
  return new Date(atMs).toISOString();
}

/**
 * The times, action and policies of a schedule, without its state. All of it follows from what its
 * owner has given. Nothing is carried over from Temporal.
 */
export async function scheduleOf(place: NamedSchedule, start: PeriodStart, catchUpMs: number) {
  const { client, scheduleId, taskQueue } = place;
  const isFiltered = await hasSearchAttributes(client.connection, client.options.namespace);
  return {
    spec: specOf(start),
    action: {
      type: 'startWorkflow',
      workflowType: 'startPeriod',
      taskQueue,
      args: [start],
      workflowId: `schedule:${scheduleId}`,
      staticSummary: `a period of ${scheduleId}`,
      ...(isFiltered ? { typedSearchAttributes: firstPairs('startPeriod') } : {}),
    },
    // Said in full: the documents of Temporal's parts name different defaults.
    policies: { overlap: 'ALLOW_ALL', catchupWindow: catchUpMs, pauseOnFailure: false },
  } as const;
}

/** The times of a rhythm as Temporal is given them. */
export function specOf({ rhythm, timeZone }: Timed): ScheduleSpec {
  const { every, offset, until } = rhythm;
  const span = (text = '0s'): number => Number.parseInt(text, 10) * 1_000;
  return {
    ...(rhythm.cron === undefined ? {} : cronIn({ rhythm, timeZone })),
    ...(every === undefined ? {} : { intervals: [{ every: span(every), offset: span(offset) }] }),
    ...(until === undefined ? {} : { endAt: new Date(until) }),
    timezone: timeZone,
  };
}

function cronIn(timed: Timed): ScheduleSpec {
  const { cron = '', holidays } = timed.rhythm;
  const own = calendarsOf(cronOf(timed.rhythm), { text: cron, holidays });
  const forward = forwardDays(timed);
  const calendars = [...(own?.calendars ?? []), ...forward.calendars];
  const skip = [...(own?.skip ?? []), ...forward.skip];
  return {
    ...(own === undefined ? { cronExpressions: [cron] } : {}),
    ...(calendars.length === 0 ? {} : { calendars }),
    ...(skip.length === 0 ? {} : { skip }),
  };
}
