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

const daysSearched = 2 * 366;

/** A moment at which clocks are put back. The time before it, of that length, is repeated after it. */
export type PutBack = { atMs: number; byMs: number };

/** The moments within two years at which the clocks of a time zone are put back. */
export function putBacks(fromMs: number, timeZone: string): PutBack[] {
  return changedBefore(DateTime.fromMillis(fromMs, { zone: timeZone })).flatMap((noon) => {
    const before = noon.minus({ days: 1 });
    if (noon.offset > before.offset) return [];
    let [earlierMs, atMs] = [before.toMillis(), noon.toMillis()];
    while (atMs - earlierMs > 1_000) {
      const middle = DateTime.fromMillis(Math.floor((earlierMs + atMs) / 2_000) * 1_000);
      if (middle.setZone(timeZone).offset === noon.offset) atMs = middle.toMillis();
      else earlierMs = middle.toMillis();
    }
    return [{ atMs, byMs: (before.offset - noon.offset) * 60_000 }];
  });
}

/** The noons within two years before which the clocks were changed since the day before. */
function changedBefore(first: DateTime): DateTime[] {
  const noon = first.set({ hour: 12, minute: 0, second: 0, millisecond: 0 });
  return Array.from({ length: daysSearched }, (_, days) => noon.plus({ days })).filter(
    (one) => one.offset !== one.minus({ days: 1 }).offset,
  );
}
