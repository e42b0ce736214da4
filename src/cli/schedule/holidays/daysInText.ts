import { z } from 'zod';

const day = z.iso.date();

/**
 * The days in a text file, each on its own line, such as "2026-12-24,Christmas Eve". The
 * first line may be a header. Throws an Error that names a line without a day, and one
 * with two of them.
 */
export function daysInText(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const told = line.trim();
    if (told === '' || told.startsWith('#')) return [];
    const [found, ...others] = new Set(told.match(/(?<!\d)\d{4}-\d\d-\d\d(?!\d)/g));
    if (others.length > 0) {
      throw new Error(`line ${at + 1} has two days; give each its own line, or an .ics.`);
    }
    if (day.safeParse(found).success) return [String(found)];
    if (at === 0 && found === undefined && !/\d/.test(told)) return [];
    throw new Error(`line ${at + 1} has no day such as 2026-12-24.`);
  });
}
