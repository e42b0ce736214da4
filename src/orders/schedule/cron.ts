/** A part of the days of month: their numbers, the last day, or the last working day. */
export type DayPart = ReadonlySet<number> | 'L' | 'LW';

/** The fields of a cron expression. A time fits if all of its fields do. */
export type Cron = {
  minutes: readonly number[];
  hours: readonly number[];
  /** The parts between commas. A day fits if one of them does. */
  days: readonly DayPart[];
  months: ReadonlySet<number>;
  /** Sunday is 0. */
  weekdays: ReadonlySet<number>;
};

/** From January on. */
export const monthNames = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;
/** From Sunday on. */
export const weekdayNames = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;

/** A field: its numbers, and its names with the letters that tell them apart. */
type Field = {
  name: string;
  first: number;
  last: number;
  names?: { words: readonly string[]; lettersMin: number };
  /** Words that are no numbers, and their meaning. */
  words?: string;
};

const fields: readonly Field[] = [
  { name: 'minute', first: 0, last: 59 },
  { name: 'hour', first: 0, last: 23 },
  {
    name: 'day of month',
    first: 1,
    last: 31,
    words: ', L (the last day) or LW (the last working day)',
  },
  { name: 'month', first: 1, last: 12, names: { words: monthNames, lettersMin: 3 } },
  { name: 'day of week', first: 0, last: 7, names: { words: weekdayNames, lettersMin: 2 } },
];

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The five fields of a cron expression. A macro is written out. */
export function cronFields(text: string): string[] {
  return (macros[text] ?? text).split(' ');
}

/** The parts of a field, between commas. */
export function fieldParts(field: string): string[] {
  return field.split(',');
}

/**
 * Reads a cron expression as Temporal does: a time fits if both its day of month and its day of
 * week fit. L and LW are ours. Returns the fault of a text that is none.
 */
export function readCron(text: string): Cron | { fault: string } {
  const parts = cronFields(text);
  const read = fields.map((field, at) => readField(field, parts[at] ?? ''));
  const at = parts.length === fields.length ? read.indexOf(undefined) : 0;
  const field = fields[at];
  if (field !== undefined) {
    const { name, first, last, words = '' } = field;
    const given = JSON.stringify(parts[at] ?? '');
    return { fault: `its ${name} ${given} is not in ${first}-${last}${words}` };
  }
  const [minutes, hours, days = [], months, weekdays] = read;
  return {
    minutes: numbersOf(minutes),
    hours: numbersOf(hours),
    days,
    months: new Set(numbersOf(months)),
    // Seven is Sunday, too.
    weekdays: new Set(numbersOf(weekdays).map((day) => day % 7)),
  };
}

/** The parts of a field. Undefined if its text cannot be read. */
function readField(field: Field, text: string): DayPart[] | undefined {
  const read = fieldParts(text).map((part) => readPart(field, part));
  const parts = read.filter((part) => part !== undefined);
  return parts.length === read.length ? parts : undefined;
}

function readPart(field: Field, text: string): DayPart | undefined {
  const word = text.toUpperCase();
  if (field.words !== undefined && (word === 'L' || word === 'LW')) return word;
  const range = rangeIn(field, text);
  if (range === undefined) return undefined;
  const numbers = new Set<number>();
  for (let number = range.from; number <= range.to; number += range.step) numbers.add(number);
  return numbers;
}

/** The numbers of all parts of a field, in order. */
function numbersOf(parts: readonly DayPart[] = []): number[] {
  const numbers = parts.flatMap((part) => (typeof part === 'string' ? [] : [...part]));
  return [...new Set(numbers)].sort((one, other) => one - other);
}

/** A part of a field: "*", "5", "1-5", each with a step behind it as "1-5/2", or "5/10". */
function rangeIn(field: Field, text: string) {
  const [, span = '', stepText] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(text) ?? [];
  const step = Number(stepText ?? 1);
  if (span === '' || step === 0) return undefined;
  if (span === '*') return { from: field.first, to: field.last, step };
  const [begin = '', end, ...more] = span.split('-');
  const from = numberIn(field, begin);
  // A single number with a step goes on to the end of the field.
  const to =
    end === undefined ? (stepText === undefined ? from : field.last) : numberIn(field, end);
  const isOne = from !== undefined && to !== undefined && from <= to && more.length === 0;
  return isOne ? { from, to, step } : undefined;
}

function numberIn({ first, last, names }: Field, text: string): number | undefined {
  const word = text.toUpperCase();
  if (names !== undefined && word.length >= names.lettersMin) {
    const at = names.words.findIndex((name) => name.startsWith(word));
    if (at !== -1) return first + at;
  }
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return number >= first && number <= last ? number : undefined;
}
