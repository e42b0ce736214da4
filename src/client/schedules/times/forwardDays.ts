import type { CalendarSpec, ScheduleSpec } from '@temporalio/client';
import { IANAZone } from 'luxon';
import type { Cron } from '../../../orders/schedule/cron';
import { isDue, type Midnight } from '../../../orders/schedule/dueDays';
import { clockChanges } from '../../../orders/schedule/localTime';
import { clockTimesOn, cronOf, type Timed } from '../../../orders/schedule/rhythm';
import { firstYear, lastYear, monthName } from './calendars';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const daysInWeek = 7;

/** A moment as clocks show it, in milliseconds as if they were those of UTC. */
type Shown = number;

/**
 * The days on which clocks are put forward, as calendars of Temporal. It leaves out times that
 * clocks skip, so these come as dates, at the first moment after. A day whose midnight is skipped
 * has for Temporal the day of the week of the day before. So it is named by its date, or skipped.
 */
export function forwardDays({ rhythm, timeZone }: Timed): Required<ScheduleParts> {
  const cron = cronOf(rhythm);
  const comment = `${rhythm.cron}, where clocks are put forward`;
  const own = { minute: [...cron.minutes], hour: [...cron.hours] };
  const calendars = new Map<string, Yearly>();
  const skip = new Map<string, Yearly>();
  for (const { beginMs, endMs } of skippedSpans(timeZone)) {
    const isSkipped = (shown: Shown): boolean => shown >= beginMs && shown < endMs;
    for (let midnight = dayOf(beginMs); midnight < endMs; midnight += dayMs) {
      const isWanted = isDue(midnight, cron, rhythm.holidays);
      if (isWanted && clockTimesOn(midnight, cron).some(isSkipped)) {
        const time = new Date(endMs);
        const after = { minute: [time.getUTCMinutes()], hour: [time.getUTCHours()] };
        add(calendars, dayOf(endMs), { ...after, comment });
      }
      if (!isSkipped(midnight) || !isByWeekday(cron)) continue;
      if (isWanted) add(calendars, midnight, { ...own, comment });
      else add(skip, midnight, { minute: '*', hour: '*' });
    }
  }
  return { calendars: [...calendars.values()], skip: [...skip.values()] };
}

type ScheduleParts = Pick<ScheduleSpec, 'calendars' | 'skip'>;

/** A calendar of one day and month in some years. */
type Yearly = CalendarSpec & { year: number[] };

function add(all: Map<string, Yearly>, midnight: Midnight, time: CalendarSpec): void {
  const date = new Date(midnight);
  const day = { month: monthName(date.getUTCMonth() + 1), dayOfMonth: date.getUTCDate() };
  const key = JSON.stringify([day, time]);
  const yearly = all.get(key) ?? { ...time, ...day, year: [] };
  yearly.year.push(date.getUTCFullYear());
  all.set(key, yearly);
}

/** The spans that the clocks of a time zone skip, in all years that Temporal's calendars know. */
function skippedSpans(timeZone: string): { beginMs: Shown; endMs: Shown }[] {
  const zone = IANAZone.create(timeZone);
  const span = [Date.UTC(firstYear, 0), Date.UTC(lastYear + 1, 0)] as const;
  return clockChanges(span, timeZone).flatMap(({ atMs, byMs }) => {
    const endMs = atMs + zone.offset(atMs) * minuteMs;
    return byMs > 0 ? [{ beginMs: endMs - byMs, endMs }] : [];
  });
}

function dayOf(shown: Shown): Midnight {
  return Math.floor(shown / dayMs) * dayMs;
}

/** LW is a day of the week in Temporal's calendars, too. */
function isByWeekday({ weekdays, days }: Cron): boolean {
  return weekdays.size < daysInWeek || days.includes('LW');
}
