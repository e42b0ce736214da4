import { DateTime } from 'luxon';
import { z } from 'zod';
import { BadOrderError } from '../../orders/input/read';
import { shown } from '../../orders/input/shown';
import { sumOfSums } from '../../orders/payout/tally';
import { counted } from '../../orders/progress/doing';
import { dayIn } from '../../orders/schedule/localTime';
import { timesIn, whenOf } from '../../orders/schedule/rhythm';
import type { PeriodStart } from '../../orders/schedule/schedule';
import { type Sum, sumOf } from '../../orders/schedule/sumOf';
import { matchingTimes, matchingTimesMax } from '../temporal/matchingTimes';
import { overridesOf } from './overrides/overrides';
import { askSchedule, type ComingPeriod, type NamedSchedule, periodsOf, startIn } from './parts';
import { refuseDifferentTimes } from './sameTimes';

/** From the first day to the last, both whole, in the time zone of the schedule. */
export type Days = {
  /** A day such as "2026-01-31", or a moment with its offset. */
  from: string;
  to: string;
  /** True if periods from before the schedule was created are to be started too. */
  beforeCreation?: boolean | undefined;
};

/** Asks whether these periods are to be started. The sum is of their orders, without fees. */
export type BackfillQuestion = (periods: readonly ComingPeriod[], sum: Sum) => Promise<boolean>;

/**
 * Has Temporal start all periods between two days that have come. This machine computes them, and
 * Temporal must name the same. A period that was started before stays one order. A paused schedule
 * is refused: Temporal would start its periods, and none would pay. Returns none, and starts
 * nothing, if they are not wanted.
 */
export async function backfillPeriods(
  place: NamedSchedule,
  days: Days,
  isWanted: BackfillQuestion = async () => true,
): Promise<ComingPeriod[]> {
  const told = await askSchedule(place, () => place.handle.describe());
  const start = startIn(told);
  if (told.state.paused) {
    throw new BadOrderError(
      `id: the schedule "${place.id}" is paused, and starts no periods. Resume it, and backfill ` +
        `then: npx --no-install steadfast schedule resume ${place.id}`,
    );
  }
  const [from, end] = spanOfDays(start, days);
  if (days.beforeCreation !== true) refuseEarly(place, start, [from, end, told.info.createdAt]);
  const times = timesBetween(start, days, [from, end]);
  const periods = periodsOf(start, times);
  const theirs = await matchingTimes(place.client, place.scheduleId, [from - 1_000, end]);
  refuseDifferentTimes(place, start, { ours: times, theirs, nothing: 'Nothing is started' });
  if (!(await isWanted(periods, await sumWith(place, start, periods)))) return [];
  const overlap = 'ALLOW_ALL';
  await place.handle.backfill({ start: new Date(from), end: new Date(end), overlap });
  // Temporal answers once it has accepted the backfill, so that no other change takes its place.
  await place.handle.describe();
  return periods;
}

/** The sum of some periods. An overridden one counts with its own order. */
async function sumWith(
  place: NamedSchedule,
  start: PeriodStart,
  periods: readonly ComingPeriod[],
): Promise<Sum> {
  const names = new Set(periods.map(({ period }) => period));
  const overrides = (await overridesOf(place, start)).filter(({ period }) => names.delete(period));
  const others = overrides.map(({ order, sum }) => (order === undefined ? {} : sum));
  const sums = [sumOf(start, [...names]), ...others].filter((sum) => sum !== undefined);
  return sums.length > others.length ? sumOfSums(sums) : undefined;
}

/** The moments of the days, up to now. A schedule starts by itself what comes later. */
function spanOfDays({ timeZone }: PeriodStart, days: Days): [fromMs: number, toMs: number] {
  const from = momentOf('from', days.from, timeZone);
  const end = momentOf('to', days.to, timeZone);
  if (end < from) throw new BadOrderError(`to: ${days.to} is before ${days.from}.`);
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  if (from > nowMs) {
    throw new BadOrderError(
      `from: ${days.from} has not come yet. The schedule starts what is due then by itself.`,
    );
  }
  return [from, Math.min(end, nowMs)];
}

function timesBetween(
  start: PeriodStart,
  { from, to }: Days,
  [fromMs, endMs]: readonly [number, number],
): number[] {
  const times = timesIn(start, [fromMs - 1, endMs], matchingTimesMax);
  if (times.length === 0) {
    throw new BadOrderError(`from: ${whenOf(start)} has no time from ${from} to ${to} so far.`);
  }
  if (times.length === matchingTimesMax) {
    throw new BadOrderError(
      `to: from ${from} to ${to} there are ${times.length} periods or more. Give a shorter ` +
        'span.',
    );
  }
  return times;
}

/** Throws a BadOrderError if a period was due before its schedule was there. */
function refuseEarly(
  { id }: NamedSchedule,
  start: PeriodStart,
  [fromMs, endMs, createdAt]: readonly [number, number, Date],
): void {
  const beforeMs = Math.min(endMs, createdAt.getTime() - 1);
  const early = periodsOf(start, timesIn(start, [fromMs - 1, beforeMs], matchingTimesMax));
  const [first, last] = [early[0], early.at(-1)];
  if (first === undefined || last === undefined) return;
  const which = early.length === 1 ? first.period : `${first.period} to ${last.period}`;
  const atLeast = early.length === matchingTimesMax ? 'at least ' : '';
  const lie = early.length === 1 ? 'lies' : 'lie';
  const created = createdAt.toISOString();
  throw new BadOrderError(
    `from: ${atLeast}${counted(early.length, 'period')}, ${which}, ${lie} ` +
      `before ${id} was created, at ${created}. Begin at that moment: --from ${created}. If they ` +
      'are to be paid all the same, and no earlier schedule or person has paid them, add ' +
      '--before-creation.',
  );
}

/** A day begins with its first second, and ends with its last. A moment is a whole second. */
function momentOf(field: 'from' | 'to', text: string, timeZone: string): number {
  const [isFirst, second] = [field === 'from', 1_000];
  if (isDay(text)) return dayIn(timeZone, text)[isFirst ? 0 : 1];
  const moment = z.iso.datetime({ offset: true }).safeParse(text);
  if (moment.success) {
    const seconds = Date.parse(moment.data) / second;
    return (isFirst ? Math.ceil(seconds) : Math.floor(seconds)) * second;
  }
  throw new BadOrderError(
    `${field}: ${shown(text)} is not a day: give one such as 2026-01-31, or a moment such as ` +
      '"2026-01-31T12:00:00Z".',
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text).isValid;
}
