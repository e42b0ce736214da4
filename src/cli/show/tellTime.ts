import { shown } from '../../orders/input/shown';
import { InputError } from '../exit';

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads "90s", "10m" or "2h" as milliseconds. */
export function readDurationMs(flag: string, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const durationMs = Number(digits) * (unitsMs[unit] ?? Number.NaN);
  if (durationMs > 0) return durationMs;
  throw new InputError(`${flag}: ${shown(text)} is not a duration: give 90s, 10m or 2h.`);
}

/** A span of time in the two largest units that say something: "3 min 20 s". */
export function tellDuration(durationMs: number): string {
  if (durationMs < 10_000) return `${(Math.max(durationMs, 0) / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  const spans = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = spans.findIndex(([count]) => count > 0);
  return spans
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** An ISO 8601 moment as people read it, in UTC: "2026-01-31 12:00:05 UTC". */
export function tellMoment(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
