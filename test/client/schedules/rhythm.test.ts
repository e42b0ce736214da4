import { DateTime } from 'luxon';
import { isDenser } from '../../../src/client/schedules/rhythm';
import { periodAt } from '../../../src/orders/schedule/period';

const timeZone = 'Europe/Berlin';
const start = DateTime.fromISO('2026-01-05T09:00:00', { zone: timeZone });

type Rhythm = {
  template: string;
  isDue: (time: DateTime) => boolean;
  step?: 'hours' | 'days' | 'months';
};

/** The names of the first periods of a rhythm, so many after a day. */
function namesOf({ template, isDue, step = 'days' }: Rhythm, count: number, skip = 0): string[] {
  const names: string[] = [];
  for (let at = 0; names.length < count; at += 1) {
    const time = start.plus({ days: skip }).plus({ [step]: at });
    if (isDue(time)) names.push(periodAt(template, time.toMillis(), timeZone));
  }
  return names;
}

const day = 'yyyy-MM-dd';
const isWorkday = ({ weekday }: DateTime) => weekday < 6;
const rhythms = {
  daily: { template: day, isDue: () => true },
  workdays: { template: day, isDue: isWorkday },
  mondays: { template: day, isDue: ({ weekday }) => weekday === 1 },
  tuesdays: { template: day, isDue: ({ weekday }) => weekday === 2 },
  'the first and second': { template: day, isDue: ({ day: date }) => date < 3 },
  'days of January': { template: day, isDue: ({ month }) => month === 1 },
  monthly: { template: 'yyyy-MM', isDue: () => true, step: 'months' },
  quarterly: { template: 'yyyy-MM', isDue: ({ month }) => month % 3 === 1, step: 'months' },
  'hours of workdays': {
    template: "yyyy-MM-dd'T'HH",
    isDue: (time) => isWorkday(time) && time.hour >= 9 && time.hour < 17,
    step: 'hours',
  },
} satisfies Record<string, Rhythm>;

type Name = keyof typeof rhythms;
const isDenserThan = (before: Name, after: Name, { count = 100, skip = 0 } = {}): boolean => {
  const { template } = rhythms[before];
  const names = namesOf(rhythms[before], count);
  return isDenser({ template, timeZone, names }, namesOf(rhythms[after], count, skip));
};

it.each(Object.keys(rhythms) as Name[])('%s go on as they were, from any day on', (name) => {
  for (let skip = 0; skip < 400; skip += 91) {
    expect({ skip, isDenser: isDenserThan(name, name, { skip }) }).toEqual({
      skip,
      isDenser: false,
    });
  }
  expect(isDenserThan(name, name, { count: 12, skip: 200 })).toBe(false);
});

it.each<[Name, Name]>([
  ['mondays', 'daily'],
  ['workdays', 'daily'],
  ['the first and second', 'daily'],
  ['quarterly', 'monthly'],
  // Each week would be paid twice.
  ['mondays', 'tuesdays'],
])('%s do not become %s', (before, after) => {
  expect(isDenserThan(before, after)).toBe(true);
});

it('three months that were signed to their end become no four', () => {
  const names = namesOf(rhythms.monthly, 3);
  const before = { template: 'yyyy-MM', timeZone, names };
  expect(isDenser(before, namesOf(rhythms.monthly, 4, 60))).toBe(true);
  expect(isDenser(before, namesOf(rhythms.monthly, 3, 60))).toBe(false);
});
