import { skippedIn, timesIn, whenOf } from '../../../src/orders/schedule/rhythm';

const berlin = 'Europe/Berlin';
const span: [number, number] = [
  Date.parse('2026-11-21T12:00:00Z'),
  Date.parse('2031-12-31T00:00:00Z'),
];

describe('a time of day that the clocks skip', () => {
  it.each<[string, string, string, { time: string; day: string }]>([
    [berlin, '30 2 * * *', 'each day', { time: '02:30', day: '2027-03-28' }],
    [berlin, '0 2 * * *', 'each day', { time: '02:00', day: '2027-03-28' }],
    [berlin, '30 1-3 * * *', 'at several hours', { time: '02:30', day: '2027-03-28' }],
    [berlin, '30 2 28 * *', 'on the 28th', { time: '02:30', day: '2027-03-28' }],
    [berlin, '30 2 L * *', 'on the last day', { time: '02:30', day: '2030-03-31' }],
    ['America/New_York', '59 2 * * *', 'each day', { time: '02:59', day: '2027-03-14' }],
    ['America/Santiago', '0 0 * * *', 'at midnight', { time: '00:00', day: '2027-09-05' }],
    ['Europe/London', '30 1 * * *', 'each day', { time: '01:30', day: '2027-03-28' }],
    // Here it is half an hour, and in October.
    ['Australia/Lord_Howe', '15 2 * * *', 'each day', { time: '02:15', day: '2027-10-03' }],
  ])('in %s is found for %s, %s', (timeZone, cron, _, found) => {
    expect(skippedIn({ rhythm: { cron }, timeZone }, span)).toEqual(found);
  });

  it.each([
    [berlin, '59 1 * * *', undefined],
    [berlin, '0 3 * * *', undefined],
    [berlin, '30 2 1 * *', undefined],
    [berlin, '30 2 * * 1-6', undefined],
    [berlin, '30 2 LW * *', undefined],
    [berlin, '30 2 * 4-12 *', undefined],
    [berlin, '30 2 * * *', '2027-03-28T00:59:59.000Z'],
    ['UTC', '30 2 * * *', undefined],
    ['Asia/Kolkata', '30 2 * * *', undefined],
  ])('in %s is none for %s until %s', (timeZone, cron, until) => {
    const rhythm = { cron, ...(until === undefined ? {} : { until }) };
    expect(skippedIn({ rhythm, timeZone }, span)).toBeUndefined();
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
