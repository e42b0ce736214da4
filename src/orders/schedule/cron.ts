/** The numbers that each field of a cron expression names. A time fits if all of its fields do. */
export type Cron = {
  minutes: readonly number[];
  hours: readonly number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** Sunday is 0. */
  weekdays: ReadonlySet<number>;
};

const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A field: its numbers, and its names with the letters that tell them apart. */
type Field = {
  name: string;
  first: number;
  last: number;
  names?: { words: readonly string[]; lettersMin: number };
};

const fields: readonly Field[] = [
  { name: 'minute', first: 0, last: 59 },
  { name: 'hour', first: 0, last: 23 },
  { name: 'day of month', first: 1, last: 31 },
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

/**
 * Reads a cron expression as Temporal does: a time fits if both its day of month and its day of
 * week fit. Returns the fault of a text that is none.
 */
export function readCron(text: string): Cron | { fault: string } {
  const parts = (macros[text] ?? text).split(' ');
  const numbers = fields.map((field, at) => numbersIn(field, parts[at] ?? ''));
  const at = parts.length === fields.length ? numbers.indexOf(undefined) : 0;
  const field = fields[at];
  if (field !== undefined) {
    const { name, first, last } = field;
    return { fault: `its ${name} ${JSON.stringify(parts[at] ?? '')} is not in ${first}-${last}` };
  }
  const [minutes = [], hours = [], days, months, weekdays] = numbers;
  // Seven is Sunday, too.
  const ofWeek = weekdays?.map((day) => day % 7);
  return {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(ofWeek),
  };
}

/** The numbers that a field names, in order. Undefined if its text cannot be read. */
function numbersIn(field: Field, text: string): number[] | undefined {
  const ranges = text.split(',').map((part) => rangeIn(field, part));
  const numbers = new Set<number>();
  for (const range of ranges) {
    if (range === undefined) return undefined;
    for (let number = range.from; number <= range.to; number += range.step) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
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
  const word = text.toLowerCase();
  if (names !== undefined && word.length >= names.lettersMin) {
    const at = names.words.findIndex((name) => name.startsWith(word));
    if (at !== -1) return first + at;
  }
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return number >= first && number <= last ? number : undefined;
}
