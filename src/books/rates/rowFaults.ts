import { z } from 'zod';

const dayForm = z.iso.date();
/** A day has begun somewhere on Earth this long before it begins in UTC. */
const firstZoneMs = 14 * 3_600_000;

/** The fault of a day: it is none, or it has begun nowhere yet. */
export function dayFault(text: string, nowMs: number): string | undefined {
  if (!dayForm.safeParse(text).success) return 'is no day. Write it as 2026-01-31.';
  return Date.parse(text) > nowMs + firstZoneMs
    ? 'is in the future, and has no rate yet. Correct it, or take the row out.'
    : undefined;
}

/** The fault of a rate that a spreadsheet or a locale has written, with its right form. */
export function textFault(text: string): string | undefined {
  if (/^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i.test(text)) {
    return 'is a number that a program has shortened. Write all its digits, such as "0.000065".';
  }
  if (/^\d+,\d+$/.test(text))
    return `has a comma: write "${text.replace(',', '.')}", if that is meant.`;
  return undefined;
}
