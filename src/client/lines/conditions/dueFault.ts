const zone = '(Z|[+-]\\d\\d:\\d\\d)?';
const dayForm = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)${zone}$`);
const timeForm = new RegExp(
  `^(\\d{4})-(\\d\\d)-(\\d\\d)T\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?${zone}$`,
);

/**
 * The fault of a day, or of a moment, on which something is to be paid: it is later than now, or is
 * not understood. Without a zone, it is this computer's time.
 */
export function dueFault(text: string): string | undefined {
  const dueMs = dayForm.test(text) ? dayOf(text) : momentOf(text);
  if (Number.isNaN(dueMs)) return notUnderstood;
  return dueMs > Date.now() ? tooLate : undefined;
}

export const notUnderstood =
  'is no day that is understood. Write it as 2026-01-31, or with a time as 2026-01-31T09:00:00Z.';
const tooLate = 'is later than today, or than now. Start it then, or schedule it.';

/** The beginning of a day, in milliseconds. NaN for a text that is none. */
function dayOf(text: string): number {
  if (!isInCalendar(dayForm.exec(text))) return Number.NaN;
  return Date.parse(`${text.slice(0, 10)}T00:00:00${text.slice(10)}`);
}

function momentOf(text: string): number {
  return isInCalendar(timeForm.exec(text)) ? Date.parse(text) : Number.NaN;
}

/** False for the 30th of February, which a Date takes for a day in March. */
function isInCalendar(parts: RegExpExecArray | null): boolean {
  if (parts === null) return false;
  const [, year, month, day] = parts.map(Number);
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === day;
}
