import type { CalendarSpec, ScheduleSpec } from '@temporalio/client';
import { type Cron, type DayPart, monthNames, weekdayNames } from '../../../orders/schedule/cron';
import { lastWorkingDayOf } from '../../../orders/schedule/dueDays';

/** The years that Temporal's calendars know, but for the last one. */
export const [firstYear, lastYear] = [2000, 2099];
const leapEvery = 4;
const februaryIs = 2;

/** The months of one length. A February has two lengths, by its year. */
const lengths: readonly { length: number; months: number[]; year?: CalendarSpec['year'] }[] = [
  { length: 31, months: [1, 3, 5, 7, 8, 10, 12] },
  { length: 30, months: [4, 6, 9, 11] },
  { length: 29, months: [februaryIs], year: yearsFrom(firstYear) },
  { length: 28, months: [februaryIs], year: [1, 2, 3].map((more) => yearsFrom(firstYear + more)) },
];

function yearsFrom(start: number) {
  return { start, end: lastYear, step: leapEvery };
}

const friday = 5;
const workingDays = [1, 2, 3, 4, friday];

/** The days of one calendar, by their numbers in the month and in the week. */
type Days = { days: number[]; weekdays: number[] };

/**
 * A cron with L or LW as calendars of Temporal, which has neither. So Temporal itself names the
 * true times. Undefined for any other cron.
 */
export function calendarsOf(
  cron: Cron,
  { text, holidays = [] }: { text: string; holidays?: readonly string[] | undefined },
): Pick<ScheduleSpec, 'calendars' | 'skip'> | undefined {
  if (!cron.days.some((part) => typeof part === 'string')) return undefined;
  const common = { minute: [...cron.minutes], hour: [...cron.hours] };
  const calendars = cron.days.flatMap((part): CalendarSpec[] =>
    lengths.flatMap(({ length, months, year }) =>
      daysOf(part, length).flatMap(({ days, weekdays }) => {
        const month = months.filter((one) => cron.months.has(one)).map(monthName);
        const dayOfWeek = weekdays.filter((one) => cron.weekdays.has(one)).map(weekdayName);
        if (month.length === 0 || dayOfWeek.length === 0 || days.length === 0) return [];
        const when = { ...common, month, dayOfMonth: days, dayOfWeek, comment: text };
        return [year === undefined ? when : { ...when, year }];
      }),
    ),
  );
  const moved = movedDays(holidays).filter((day) => cron.weekdays.has(new Date(day).getUTCDay()));
  const onDate = (day: number): CalendarSpec => {
    const date = new Date(day);
    const [year, month] = [date.getUTCFullYear(), monthName(date.getUTCMonth() + 1)];
    return { ...common, year, month, dayOfMonth: date.getUTCDate() };
  };
  const ofMoved = moved
    .filter((day) => cron.months.has(new Date(day).getUTCMonth() + 1))
    .map((day) => ({ ...onDate(day), comment: `${text}, before a holiday` }));
  const skip = holidays.map((day) => onDate(Date.parse(day)));
  return { calendars: [...calendars, ...ofMoved], ...(skip.length === 0 ? {} : { skip }) };
}

/** The days of a part in months of one length. */
function daysOf(part: DayPart, length: number): Days[] {
  const weekdays = weekdayNames.map((_, at) => at);
  if (part === 'L') return [{ days: [length], weekdays }];
  if (part !== 'LW') return [{ days: [...part].filter((day) => day <= length), weekdays }];
  // A month that ends on a Saturday or a Sunday has its last working day on the Friday before.
  return [
    { days: [length], weekdays: workingDays },
    { days: [length - 2, length - 1], weekdays: [friday] },
  ];
}

/** The last working days of months whose usual one is a holiday. */
function movedDays(holidays: readonly string[]): number[] {
  const isMoved = (usual: number | undefined): boolean =>
    holidays.some((day) => Date.parse(day) === usual);
  const moved = holidays.flatMap((day) => {
    const usual = lastWorkingDayOf(Date.parse(day), []);
    const own = lastWorkingDayOf(Date.parse(day), holidays);
    return isMoved(usual) && own !== undefined ? [own] : [];
  });
  return [...new Set(moved)];
}

export function monthName(month: number) {
  return monthNames[(month - 1) % monthNames.length] ?? 'JANUARY';
}

function weekdayName(day: number) {
  return weekdayNames[day] ?? 'SUNDAY';
}
