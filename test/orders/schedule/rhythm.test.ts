import { DateTime } from 'luxon';
import { type Rhythm, timesIn, whenOf } from '../../../src/orders/schedule/rhythm';

const berlin = 'Europe/Berlin';
describe('a time of day that the clocks skip', () => {
  const fiveYears: [number, number] = [Date.parse('2026-11-21T12:00:00Z'), Date.UTC(2031, 11, 31)];
  const timesOn = (day: string, rhythm: Rhythm, timeZone: string) => {
    const all = timesIn({ rhythm, timeZone }, fiveYears, Number.POSITIVE_INFINITY);
    const shown = all.map((time) => DateTime.fromMillis(time, { zone: timeZone }));
    return shown.filter((time) => time.toISODate() === day).map((time) => time.toFormat('HH:mm'));
  };

  it.each<[string, string, string, string, string[]]>([
    [berlin, '30 2 * * *', 'each day', '2027-03-28', ['03:00']],
    [berlin, '0 2 * * *', 'each day', '2027-03-28', ['03:00']],
    [berlin, '30 1-3 * * *', 'at several hours', '2027-03-28', ['01:30', '03:00', '03:30']],
    [berlin, '0,30 2-3 * * *', 'twice an hour', '2027-03-28', ['03:00', '03:30']],
    [berlin, '30 2 L * *', 'on the last day', '2030-03-31', ['03:00']],
    ['America/New_York', '59 2 * * *', 'each day', '2027-03-14', ['03:00']],
    ['America/Santiago', '0 0 * * *', 'at midnight', '2027-09-05', ['01:00']],
    ['Europe/London', '30 1 * * *', 'each day', '2027-03-28', ['02:00']],
    // Here it is half an hour, and in October.
    ['Australia/Lord_Howe', '15 2 * * *', 'each day', '2027-10-03', ['02:30']],
    // Here the day ends with it.
    ['America/Nuuk', '30 23 * * *', 'each day', '2027-03-28', ['00:00', '23:30']],
    [berlin, '59 1 * * *', 'before them', '2027-03-28', ['01:59']],
    [berlin, '30 2 * * 1-6', 'on another day', '2027-03-28', []],
  ])('in %s comes at the first moment after: %s, %s', (timeZone, cron, _, day, expected) => {
    expect(timesOn(day, { cron }, timeZone)).toEqual(expected);
  });

  it('comes no more if the schedule has ended before that moment', () => {
    const untilThen = (at: string) =>
      timesOn('2027-03-28', { cron: '30 2 * * *', until: at }, berlin);
    expect(untilThen('2027-03-28T00:59:59.000Z')).toEqual([]);
    expect(untilThen('2027-03-28T01:00:00.000Z')).toEqual(['03:00']);
  });
});

describe('the last days of a month', () => {
  const days = (cron: string, holidays?: string[]) => {
    const rhythm = { cron, ...(holidays === undefined ? {} : { holidays }) };
    const year: [number, number] = [Date.UTC(2027, 11, 1), Date.UTC(2028, 4, 1)];
    const times = timesIn({ rhythm, timeZone: 'UTC' }, year, 100);
    return times.map((time) => new Date(time).toISOString().slice(0, 10));
  };

  it.each<[string, string[] | undefined, string[]]>([
    ['0 9 L * *', undefined, ['12-31', '01-31', '02-29', '03-31', '04-30']],
    ['0 9 LW * *', undefined, ['12-31', '01-31', '02-29', '03-31', '04-28']],
    ['0 9 lw 4 *', undefined, ['04-28']],
    ['0 9 L * 1', undefined, ['01-31']],
    ['0 9 LW * 5', undefined, ['12-31', '03-31', '04-28']],
    ['0 9 15,L 2,4 *', undefined, ['02-15', '02-29', '04-15', '04-30']],
    ['0 9 LW * *', ['2028-01-31', '2028-01-28'], ['12-31', '01-27', '02-29', '03-31', '04-28']],
    ['0 9 LW 4 *', ['2028-04-30', '2028-04-28'], ['04-27']],
  ])('%s without %j comes on %j', (cron, holidays, expected) => {
    expect(days(cron, holidays).map((day) => day.slice(5))).toEqual(expected);
  });

  it('have no time in a month of holidays alone', () => {
    const holidays = Array.from(
      { length: 29 },
      (_, at) => `2028-02-${String(at + 1).padStart(2, '0')}`,
    );
    expect(days('0 9 LW 2 *', holidays)).toEqual([]);
  });
});

it('a rhythm tells how many holidays it leaves out', () => {
  const rhythm = { cron: '0 9 LW * *', holidays: ['2026-12-24', '2026-12-31'] };
  expect(whenOf({ rhythm, timeZone: berlin })).toBe(
    '"0 9 LW * *" in Europe/Berlin without 2 holidays',
  );
});
