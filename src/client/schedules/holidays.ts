import { lastMomentMs } from '../../orders/schedule/rhythm';
import type { PeriodStart } from '../../orders/schedule/schedule';

/** The holidays of a schedule. */
export type HolidaySpan = {
  /** The files that they are from, if they are from files. */
  calendar?: string;
  count: number;
  first: string;
  last: string;
  /** True if the schedule goes on after the year of the last one. */
  isShort: boolean;
  /** True if that is so within two months. */
  isEnding: boolean;
};

const soonMs = 60 * 86_400_000;

/** The holidays that a schedule was given. Undefined if there are none. */
export function holidaySpan({ rhythm, timeZone }: PeriodStart): HolidaySpan | undefined {
  const { holidays = [], calendar } = rhythm;
  const [first, last] = [holidays[0], holidays.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const endMs = Date.UTC(Number(last.slice(0, 4)) + 1, 0);
  const isShort = lastMomentMs({ rhythm, timeZone }) >= endMs;
  const isEnding = isShort && endMs - Date.now() < soonMs;
  const named = calendar === undefined ? {} : { calendar };
  return { ...named, count: holidays.length, first, last, isShort, isEnding };
}
