import { readDurationMs, tellDuration, tellMoment } from '../../../src/cli/show/tellTime';

it.each([
  [0, '0.0 s'],
  [-5, '0.0 s'],
  [2_849, '2.8 s'],
  [9_999, '10.0 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [3_600_000, '1 h'],
  [90_000_000, '1 d 1 h'],
])('%d ms is told as %s', (durationMs, told) => {
  expect(tellDuration(durationMs)).toBe(told);
});

it('tells a moment without its fractions, and in which zone', () => {
  expect(tellMoment('2026-01-31T12:00:05.123Z')).toBe('2026-01-31 12:00:05 UTC');
});

it.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
])('reads %s as %d ms', (text, durationMs) => {
  expect(readDurationMs('--timeout', text)).toBe(durationMs);
});

it.each(['', '5', '0s', '-1s', '1.5h', '1d', '1 h'])('refuses "%s" as a duration', (text) => {
  expect(() => readDurationMs('--timeout', text)).toThrow('is not a duration: give 90s, 10m or 2h');
});
