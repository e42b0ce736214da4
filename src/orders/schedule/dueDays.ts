import type { Cron, DayPart } from './cron';

const dayMs = 86_400_000;

/** A day of the calendar, as the midnight in UTC of its date. */
export type Midnight = number;

/** The last day of the month that a day belongs to. */
function lastDayOf(midnight: Midnight): Midnight {
  const day = new Date(midnight);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0);
}

/**
 * The last day of a month from Monday to Friday that is no holiday. Undefined if every day of that
 * month is one.
 */
export function lastWorkingDayOf(
  midnight: Midnight,
  holidays: readonly string[],
): Midnight | undefined {
  const last = lastDayOf(midnight);
  for (let day = last; isSameMonth(day, last); day -= dayMs) {
    const isWeekend = new Date(day).getUTCDay() % 6 === 0;
    if (!isWeekend && !holidays.includes(dateOf(day))) return day;
  }
  return undefined;
}

/** The date of a day, such as "2026-01-31". */
export function dateOf(midnight: Midnight): string {
  return new Date(midnight).toISOString().slice(0, 10);
}

function isSameMonth(one: Midnight, other: Midnight): boolean {
  return new Date(one).getUTCMonth() === new Date(other).getUTCMonth();
}

/** True if a cron expression comes on a day. */
export function isDue(midnight: Midnight, cron: Cron, holidays: readonly string[] = []): boolean {
  const day = new Date(midnight);
  if (!cron.months.has(day.getUTCMonth() + 1) || !cron.weekdays.has(day.getUTCDay())) return false;
  return cron.days.some((part) => isOfPart(midnight, part, holidays));
}

function isOfPart(midnight: Midnight, part: DayPart, holidays: readonly string[]): boolean {
  if (part === 'L') return midnight === lastDayOf(midnight);
  if (part === 'LW') return midnight === lastWorkingDayOf(midnight, holidays);
  return part.has(new Date(midnight).getUTCDate());
}

/** The parts of a cron's days that have no day in a month. They are told by their places. */
export function partsWithoutDay(
  first: Midnight,
  cron: Cron,
  holidays: readonly string[] = [],
): number[] {
  const length = new Date(lastDayOf(first)).getUTCDate();
  const days = Array.from({ length }, (_, at) => first + at * dayMs);
  return cron.days.flatMap((part, at) => {
    const ofPart = { ...cron, days: [part] };
    return days.some((day) => isDue(day, ofPart, holidays)) ? [] : [at];
  });
}
