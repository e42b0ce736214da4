import { DateTime, IANAZone } from 'luxon';
import { z } from 'zod';

/** The name of a time zone in an order. */
export const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'is not a time zone: give a name such as Europe/Berlin, or UTC' });

/** True if a name is a time zone's, such as "Europe/Berlin". */
export function isTimeZone(name: string): boolean {
  // Node accepts offsets as time zones. Temporal does not.
  return /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name);
}

/** First and last second of a day such as "2026-01-31", in milliseconds since the epoch. */
export function dayIn(timeZone: string, day: string): [beginsMs: number, endsMs: number] {
  const noon = DateTime.fromISO(`${day}T12:00`, { zone: timeZone });
  return [noon.startOf('day').toMillis(), noon.endOf('day').startOf('second').toMillis()];
}

const dayMs = 86_400_000;
const searchedMs = 2 * 366 * dayMs;

/** The first moment after clocks change, and by how much. */
type ClockChange = { atMs: number; byMs: number };

/** The changes within two years that put clocks back, and so repeat as much time before them. */
export function putBacks(fromMs: number, timeZone: string): ClockChange[] {
  return clockChanges([fromMs, fromMs + searchedMs], timeZone).flatMap(({ atMs, byMs }) =>
    byMs < 0 ? [{ atMs, byMs: -byMs }] : [],
  );
}

/** The changes of clocks between two moments. Back is negative. Two on one day are none. */
export function clockChanges(
  [fromMs, toMs]: readonly [fromMs: number, toMs: number],
  timeZone: string,
): ClockChange[] {
  const zone = IANAZone.create(timeZone);
  const changes: ClockChange[] = [];
  let offset = zone.offset(fromMs);
  for (let atMs = fromMs; atMs < toMs; atMs += dayMs) {
    const next = zone.offset(atMs + dayMs);
    const byMs = (next - offset) * 60_000;
    if (byMs !== 0) changes.push({ atMs: changeIn(zone, [atMs, atMs + dayMs]), byMs });
    offset = next;
  }
  return changes;
}

/** The first whole second with the offset of the later of two moments. */
export function changeIn(
  zone: IANAZone,
  [fromMs, toMs]: readonly [fromMs: number, toMs: number],
): number {
  const offset = zone.offset(toMs);
  let [before, after] = [Math.floor(fromMs / 1_000), Math.ceil(toMs / 1_000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offset(middle * 1_000) === offset) after = middle;
    else before = middle;
  }
  return after * 1_000;
}
