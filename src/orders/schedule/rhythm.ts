import { IANAZone } from 'luxon';
import { z } from 'zod';
import { readCron } from './cron';

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
  const { until } = timed.rhythm;
  const endMs = Math.min(toMs, endOfTime - secondMs, until ? Date.parse(until) : endOfTime);
  const times: number[] = [];
  for (const time of timesAfter(timed, afterMs)) {
    if (time > endMs || times.length === max) break;
    times.push(time);
  }
  return times;
}

function timesAfter({ rhythm: { cron = '', every, offset }, timeZone }: Timed, afterMs: number) {
  if (every !== undefined) return spansAfter({ every, offset: offset ?? '0s' }, afterMs);
  return cronTimesAfter(cron, timeZone, afterMs);
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

/** Day by day of the time zone's calendar. A time that clocks skip is left out. */
function* cronTimesAfter(text: string, timeZone: string, afterMs: number): Generator<number> {
  const cron = readCron(text);
  if ('fault' in cron) throw new RangeError(`${text}: ${cron.fault}.`);
  const zone = IANAZone.create(timeZone);
  // The day by UTC may be the one after that of the time zone.
  let midnight = Math.floor(afterMs / dayMs) * dayMs - dayMs;
  for (; midnight < endOfTime + dayMs; midnight += dayMs) {
    const day = new Date(midnight);
    if (!cron.months.has(day.getUTCMonth() + 1) || !cron.days.has(day.getUTCDate())) continue;
    if (!cron.weekdays.has(day.getUTCDay())) continue;
    const times = cron.hours.flatMap((hour) =>
      cron.minutes.map((minute) => midnight + (hour * 60 + minute) * 60_000),
    );
    for (const time of momentsOf(times, midnight, zone)) if (time > afterMs) yield time;
  }
}

/**
 * The moments at which clocks show some times of one day, in order. Where clocks are changed, a
 * time has none or two.
 */
function momentsOf(times: readonly number[], midnight: number, zone: IANAZone): number[] {
  const offsets = new Set([zone.offset(midnight - dayMs), zone.offset(midnight + 2 * dayMs)]);
  const moments = times.flatMap((time) =>
    [...offsets].flatMap((offset) => {
      const moment = time - offset * 60_000;
      return offsets.size === 1 || zone.offset(moment) === offset ? [moment] : [];
    }),
  );
  return moments.sort((one, other) => one - other);
}

/** A rhythm in the words of whoever made it. */
export function whenOf({ rhythm: { cron, every = '0s' }, timeZone }: Timed): string {
  return cron === undefined ? `every ${spanInWords(msOf(every))}` : `"${cron}" in ${timeZone}`;
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
