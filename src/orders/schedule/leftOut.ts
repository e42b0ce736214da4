import { DateTime } from 'luxon';
import { cronFields, type DayPart, fieldParts } from './cron';
import { partsWithoutDay } from './dueDays';
import { monthly, periodAt, spanOf, type Unit, unitOf } from './period';
import { cronOf, type Timed, whenOf } from './rhythm';

/** Periods between two times of a schedule that have none, by the names that confirm them. */
type Gap = {
  name: string;
  /** One name of each sort confirms all of them: each February is one, and so is each week. */
  sort: string;
};

const toldMax = 5;
const dayMs = 86_400_000;
/** Its months are as short as months get. */
const commonYear = 2027;
const shortestMonth = 28;

/**
 * The fault of a schedule that leaves out a period between its times, unless it is confirmed by
 * name. Months and days of week that a cron does not name are confirmed by the cron itself.
 */
export function leftOutFault(
  timed: Timed & { template: string },
  times: readonly number[],
): string | undefined {
  const { leavesOut = [] } = timed.rhythm;
  const due = new Set(times.map((time) => periodAt(timed.template, time, timed.timeZone)));
  const named = leavesOut
    .filter((name) => !due.has(name))
    .flatMap((name) => sortsOf(name, timed.template));
  const gaps = gapsIn(timed, times).filter(({ sort }) => !named.includes(sort));
  if (gaps.length === 0) return undefined;
  const first = gaps.slice(0, toldMax).map(({ name }) => name);
  const more = gaps.length > toldMax ? ` and ${gaps.length - toldMax} more` : '';
  const flag = [...new Map(gaps.toReversed().map(({ name, sort }) => [sort, name])).values()];
  return (
    `${whenOf(timed)} leaves out ${first.join(', ')}${more}. ${wayOut(timed)} If it is meant to ` +
    `leave them out, confirm it by name: --leaves-out ${flag.toSorted().join(',')}`
  );
}

/** The sorts that a name given by the owner can stand for. */
function sortsOf(name: string, template: string): string[] {
  const unit = unitOf(template);
  const ofMonth = [monthly, ...(unit === 'month' ? [template] : [])].flatMap((form) => {
    const [fromMs] = spanOf(form, name) ?? [];
    return fromMs === undefined ? [] : [monthSort(fromMs + dayMs)];
  });
  const isPeriod = unit !== undefined && spanOf(template, name) !== undefined;
  return isPeriod && unit !== 'month' ? [...ofMonth, unit] : ofMonth;
}

/** Each February is one sort. */
function monthSort(atMs: number): string {
  return `month ${new Date(atMs).getUTCMonth() + 1}`;
}

function gapsIn(timed: Timed & { template: string }, times: readonly number[]): Gap[] {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const unit = unitOf(timed.template);
  const isByCron = timed.rhythm.cron !== undefined;
  const ofMonths = isByCron ? monthsWithoutDay(timed, [first, last]) : [];
  // A cron names its days and months. It cannot name weeks.
  if (unit === undefined || (isByCron && unit !== 'week')) return ofMonths;
  return [...ofMonths, ...between(timed, unit, times)];
}

/** The months that a cron names, in which a part of its days of month has none. */
function monthsWithoutDay(
  { rhythm, timeZone, template }: Timed & { template: string },
  [firstMs, lastMs]: readonly [number, number],
): Gap[] {
  const cron = cronOf(rhythm);
  const gaps: Gap[] = [];
  const last = DateTime.fromMillis(lastMs, { zone: timeZone }).startOf('month');
  let month = DateTime.fromMillis(firstMs, { zone: timeZone }).startOf('month');
  for (; month < last; month = month.plus({ months: 1 })) {
    if (!cron.months.has(month.month)) continue;
    const begins = Date.UTC(month.year, month.month - 1);
    if (partsWithoutDay(begins, cron, rhythm.holidays).length === 0) continue;
    const unit = unitOf(template);
    const isNamed = unit === 'month' || unit === 'year';
    const name = periodAt(isNamed ? template : monthly, begins, 'UTC');
    gaps.push({ name, sort: unit === 'year' ? unit : monthSort(begins) });
  }
  return gaps;
}

/** The units of the calendar between the times, in which none is. */
function between(
  { timeZone, template }: { timeZone: string; template: string },
  unit: Unit,
  times: readonly number[],
): Gap[] {
  const begins = times.map((time) => DateTime.fromMillis(time, { zone: timeZone }).startOf(unit));
  return begins.flatMap((begin, at) => {
    const gaps: Gap[] = [];
    const next = begins[at + 1] ?? begin;
    for (let one = begin.plus({ [unit]: 1 }); one < next; one = one.plus({ [unit]: 1 })) {
      const name = periodAt(template, one.toMillis(), timeZone);
      gaps.push({
        name,
        sort: unit === 'month' ? monthSort(one.plus({ days: 1 }).toMillis()) : unit,
      });
    }
    return gaps;
  });
}

/** True for a part with a day that not every month has, and for the last one. */
function isLate(part: DayPart | undefined): boolean {
  return typeof part === 'string' || Math.max(...(part ?? [])) > shortestMonth;
}

/** The expression that pays each of those months, or another span. */
function wayOut({ rhythm }: Timed): string {
  if (rhythm.cron === undefined) return 'Give a shorter span, or a cron expression.';
  const [minute, hour, days = '', month] = cronFields(rhythm.cron);
  const cron = cronOf(rhythm);
  const missing = [...cron.months].flatMap((one) =>
    partsWithoutDay(Date.UTC(commonYear, one - 1), cron, rhythm.holidays),
  );
  if (missing.length === 0 || !missing.every((at) => isLate(cron.days[at]))) {
    return 'A day of month and a weekday must both fit. Leave one of them as *.';
  }
  const withLast = (word: string): string => {
    const parts = fieldParts(days).map((part, at) => (missing.includes(at) ? word : part));
    return [minute, hour, [...new Set(parts)].join(), month, '*'].join(' ');
  };
  return (
    `Give cron "${withLast('L')}" for the last day of the month, or "${withLast('LW')}" for its ` +
    'last working day.'
  );
}
