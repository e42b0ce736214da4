import { IANAZone } from 'luxon';
import { z } from 'zod';
import { counted } from '../progress/doing';
import { type Cron, readCron } from './cron';
import { isDue, type Midnight } from './dueDays';
import { changeIn } from './localTime';

const secondMs = 1_000;
const dayMs = 86_400_000;

/** The end of the years that Temporal's calendars know. */
export const endOfTime = Date.UTC(2100, 0);

const seconds = z.string().regex(/^(0|[1-9]\d*)s$/);

/** When a schedule starts its periods: by a cron expression, or after each span of time. */
export const rhythm = z.strictObject({
  cron: z.string().optional(),
  /** In seconds, such as "3600s", counted from 1970 in UTC. */
  every: seconds.optional(),
  offset: seconds.optional(),
  /** Days that are no working days, such as "2026-12-24". */
  holidays: z.array(z.iso.date()).optional(),
  /** The names of the files that the holidays are from. */
  calendar: z.string().optional(),
  /** Names of periods without a time, as its owner has confirmed them. */
  leavesOut: z.array(z.string()).optional(),
  /** The last moment at which a period may come. UTC. */
  until: z.iso.datetime().optional(),
});
export type Rhythm = z.output<typeof rhythm>;

/** A rhythm, and the time zone of its cron expression. */
export type Timed = { rhythm: Rhythm; timeZone: string };

/** A span of time as a rhythm has it. */
export function inSeconds(spanMs: number): string {
  return `${spanMs / secondMs}s`;
}

/**
 * The times of a rhythm after one moment and up to another, computed on this machine. Nothing of
 * them comes from Temporal. Returns the first `max` of them.
 */
export function timesIn(
  timed: Timed,
  [afterMs, toMs]: readonly [afterMs: number, toMs: number],
  max: number,
): number[] {
  const endMs = Math.min(toMs, lastMomentMs(timed));
  const times: number[] = [];
  for (const time of timesAfter(timed, afterMs)) {
    if (time > endMs || times.length === max) break;
    times.push(time);
  }
  return times;
}

/** The last moment at which a rhythm can come. */
export function lastMomentMs({ rhythm: { until } }: Timed): number {
  return Math.min(endOfTime - secondMs, until === undefined ? endOfTime : Date.parse(until));
}

function timesAfter(timed: Timed, afterMs: number) {
  const { every, offset } = timed.rhythm;
  if (every !== undefined) return spansAfter({ every, offset: offset ?? '0s' }, afterMs);
  return cronTimesAfter(timed, afterMs);
}

function* spansAfter(
  { every, offset }: { every: string; offset: string },
  afterMs: number,
): Generator<number> {
  const [spanMs, offsetMs] = [msOf(every), msOf(offset)];
  let time = (Math.floor((afterMs - offsetMs) / spanMs) + 1) * spanMs + offsetMs;
  for (; ; time += spanMs) yield time;
}

function msOf(span: string): number {
  return Number.parseInt(span, 10) * secondMs;
}

/** Day by day of the time zone's calendar. Several times that clocks skip are one moment. */
function* cronTimesAfter({ rhythm, timeZone }: Timed, afterMs: number): Generator<number> {
  const cron = cronOf(rhythm);
  const zone = IANAZone.create(timeZone);
  let lastMs = afterMs;
  for (const midnight of dueDays(cron, rhythm, afterMs)) {
    for (const time of momentsOf(clockTimesOn(midnight, cron), midnight, zone)) {
      if (time <= lastMs) continue;
      lastMs = time;
      yield time;
    }
  }
}

/** The cron expression of a rhythm. Throws a RangeError if it cannot be read. */
export function cronOf({ cron = '' }: Rhythm): Cron {
  const read = readCron(cron);
  if ('fault' in read) throw new RangeError(`${cron}: ${read.fault}.`);
  return read;
}

/** The days on which a cron comes, from one day before a moment on. */
function* dueDays(cron: Cron, { holidays }: Rhythm, afterMs: number): Generator<Midnight> {
  // The day by UTC may be the one after that of the time zone.
  let midnight = Math.floor(afterMs / dayMs) * dayMs - dayMs;
  for (; midnight < endOfTime + dayMs; midnight += dayMs) {
    if (isDue(midnight, cron, holidays)) yield midnight;
  }
}

/** The times of day of a cron on one day, as if its clocks were those of UTC. */
export function clockTimesOn(midnight: Midnight, { hours, minutes }: Cron): number[] {
  return hours.flatMap((hour) => minutes.map((minute) => midnight + (hour * 60 + minute) * 60_000));
}

function offsetsAround(midnight: Midnight, zone: IANAZone): Set<number> {
  return new Set([zone.offset(midnight - dayMs), zone.offset(midnight + 2 * dayMs)]);
}

/**
 * The moments at which clocks show some times of one day, in order. Where clocks are put back, a
 * time may have two. Where they are put forward, all that they skip comes at the first moment
 * after.
 */
function momentsOf(times: readonly number[], midnight: Midnight, zone: IANAZone): number[] {
  const offsets = offsetsAround(midnight, zone);
  const moments = times.flatMap((time) => {
    const shown = [...offsets].flatMap((offset) => {
      const moment = time - offset * 60_000;
      return offsets.size === 1 || zone.offset(moment) === offset ? [moment] : [];
    });
    return shown.length > 0 ? shown : [changeIn(zone, [midnight - dayMs, midnight + 2 * dayMs])];
  });
  return moments.sort((one, other) => one - other);
}

/** A rhythm in the words of whoever made it. */
export function whenOf({ rhythm: { cron, every = '0s', holidays }, timeZone }: Timed): string {
  if (cron === undefined) return `every ${spanInWords(msOf(every))}`;
  const without = holidays === undefined ? '' : ` without ${counted(holidays.length, 'holiday')}`;
  return `"${cron}" in ${timeZone}${without}`;
}

function spanInWords(spanMs: number): string {
  const units = [
    [dayMs, 'd'],
    [3_600_000, 'h'],
    [60_000, 'm'],
  ] as const;
  const [unitMs, unit] = units.find(([size]) => spanMs % size === 0) ?? [secondMs, 's'];
  return `${spanMs / unitMs}${unit}`;
}
