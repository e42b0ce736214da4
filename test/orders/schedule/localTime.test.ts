import { dayIn, isTimeZone, putBacks } from '../../../src/orders/schedule/localTime';

const berlin = 'Europe/Berlin';

it('a day begins and ends where its clocks say so, on days with 23 and 25 hours too', () => {
  const hours = (day: string) => {
    const [beginsMs, endsMs] = dayIn(berlin, day);
    return (endsMs + 1_000 - beginsMs) / 3_600_000;
  };
  expect(['2026-03-28', '2026-03-29', '2026-03-30'].map(hours)).toEqual([24, 23, 24]);
  expect(['2026-10-24', '2026-10-25', '2026-10-26'].map(hours)).toEqual([24, 25, 24]);
  const seconds = ['2026-01-31T00:00:00Z', '2026-01-31T23:59:59Z'].map((at) => Date.parse(at));
  expect(dayIn('UTC', '2026-01-31')).toEqual(seconds);
});

describe('the moments at which clocks are put back', () => {
  it.each([
    [berlin, ['2027-10-31T01:00:00.000Z by 60', '2028-10-29T01:00:00.000Z by 60']],
    ['America/New_York', ['2027-11-07T06:00:00.000Z by 60', '2028-11-05T06:00:00.000Z by 60']],
    // Here it is half an hour, and in April.
    ['Australia/Lord_Howe', ['2027-04-03T15:00:00.000Z by 30', '2028-04-01T15:00:00.000Z by 30']],
    ['Asia/Kolkata', []],
    ['UTC', []],
  ])('in %s are found for two years', (timeZone, found) => {
    const told = putBacks(Date.parse('2026-11-21T12:00:00Z'), timeZone).map(
      ({ atMs, byMs }) => `${new Date(atMs).toISOString()} by ${byMs / 60_000}`,
    );
    expect(told).toEqual(found);
  });
});

it('a time zone has a name', () => {
  expect(['Europe/Berlin', 'UTC', 'Berlin', '+01:00', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
