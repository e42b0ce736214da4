/** A moment as clocks and calendars show it in a time zone. */
export type LocalTime = {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
};

const dayMs = 86_400_000;

/** Formats by time zone. Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Date and time of a moment, by a time zone's clocks and calendar. */
export function localAt(atMs: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** Start of a day, in milliseconds since the epoch. Days count on past the end of a month. */
export function dayBegins(
  [year, month, day]: readonly [year: number, month: number, day: number],
  timeZone: string,
): number {
  const asUtc = Date.UTC(year, month - 1, day);
  // The first guess may have the offset of the other side of a clock change.
  const guess = asUtc - offsetMs(asUtc, timeZone);
  return asUtc - offsetMs(guess, timeZone);
}

/** True if a name is a time zone's, such as "Europe/Berlin". */
export function isTimeZone(name: string): boolean {
  // Node accepts offsets as time zones. Temporal does not.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A time of day that clocks skip when they are put forward, and the day on which they do. */
export type Skipped = { time: string; day: string };

/**
 * The first of some times that the clocks skip within two years. A schedule at that time would not
 * run on that day. Undefined if they skip none.
 */
export function skippedAmong(timesMs: readonly number[], timeZone: string): Skipped | undefined {
  const [first = 0] = timesMs;
  for (let at = first; at < first + 2 * 366 * dayMs; at += dayMs) {
    const gapMs = offsetMs(at + dayMs, timeZone) - offsetMs(at, timeZone);
    if (gapMs <= 0) continue;
    const changeMs = changeBetween(at, at + dayMs, timeZone);
    const before = localAt(changeMs - 60_000, timeZone);
    const beginsMin = minuteOf(before) + 1;
    const skipped = timesMs.map((timeMs) => minuteOf(localAt(timeMs, timeZone)));
    const minute = skipped.find((time) => time >= beginsMin && time < beginsMin + gapMs / 60_000);
    if (minute === undefined) continue;
    const two = (number: number): string => String(number).padStart(2, '0');
    return {
      time: `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
      day: `${before.year}-${two(before.month)}-${two(before.day)}`,
    };
  }
  return undefined;
}

/** The minute of a clock change between two moments. */
function changeBetween(fromMs: number, toMs: number, timeZone: string): number {
  if (toMs - fromMs <= 60_000) return Math.floor(toMs / 60_000) * 60_000;
  const middle = fromMs + Math.floor((toMs - fromMs) / 2);
  return offsetMs(middle, timeZone) === offsetMs(fromMs, timeZone)
    ? changeBetween(middle, toMs, timeZone)
    : changeBetween(fromMs, middle, timeZone);
}

function minuteOf({ hour, minute }: LocalTime): number {
  return hour * 60 + minute;
}

/** Time by which a time zone's clocks are ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  const { year, month, day, hour, minute } = localAt(atMs, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(atMs / 60_000) * 60_000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}
