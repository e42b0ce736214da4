import { z } from 'zod';

const day = z.iso.date();

/**
 * The days in a text file: the first one of each line, such as "2026-12-24,Christmas Eve". The
 * first line may be a header. Throws an Error that names a line without a day.
 */
export function daysInText(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const told = line.trim();
    if (told === '' || told.startsWith('#')) return [];
    const found = /(?<!\d)\d{4}-\d\d-\d\d(?!\d)/.exec(told)?.[0];
    if (day.safeParse(found).success) return [String(found)];
    if (at === 0 && found === undefined && !/\d/.test(told)) return [];
    throw new Error(`line ${at + 1} has no day such as 2026-12-24.`);
  });
}
