import { readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { counted } from '../../../orders/progress/doing';
import { InputError, messageOf } from '../../exit';
import { daysInCalendar } from './daysInCalendar';
import { daysInText } from './daysInText';

/** Holidays of a schedule: their days, and the names of the files that they are from. */
type Holidays = { days: string[]; calendar: string | undefined; told: string[] };

const fileBytesMax = 1_000_000;

const readers: Readonly<Record<string, (text: string) => string[]>> = {
  '.ics': daysInCalendar,
  '.csv': daysInText,
  '.txt': daysInText,
};

/** Reads the values of --holidays: days, and files of days. Tells what each file holds. */
export function takeHolidays(given: readonly string[]): Holidays {
  const days: string[] = [];
  const names: string[] = [];
  const told: string[] = [];
  for (const value of given) {
    const read = readers[extname(value).toLowerCase()];
    if (read === undefined) {
      days.push(value);
      continue;
    }
    const own = [...new Set(daysOf(value, read))].sort();
    const name = basename(value);
    names.push(name);
    days.push(...own);
    told.push(`${name}: ${counted(own.length, 'holiday')}, ${own[0]} to ${own.at(-1)}.`);
  }
  return { days, calendar: names.length === 0 ? undefined : names.join(', '), told };
}

function daysOf(path: string, read: (text: string) => string[]): string[] {
  let text: string;
  try {
    if (statSync(path).size > fileBytesMax) throw new Error(`over ${fileBytesMax} bytes`);
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new InputError(`--holidays: ${path} cannot be read: ${messageOf(error)}.`);
  }
  let days: string[];
  try {
    days = read(text);
  } catch (error) {
    throw new InputError(`--holidays: ${path} has a fault: ${messageOf(error)}`);
  }
  if (days.length > 0) return days;
  throw new InputError(`--holidays: ${path} has no day in it. Give days such as 2026-12-24.`);
}
