import { noticedDelayMs, settleDelayMs } from '../../../workflows/write/delays';

test('where a notice is expected, one poll at 25 s stands for the first eight', () => {
  const polls = Array.from({ length: 40 }, (_, index) => index + 1);
  expect(noticedDelayMs(1)).toBe(25_000);
  expect(polls.slice(1).map(noticedDelayMs)).toEqual(
    polls.slice(1).map((poll) => settleDelayMs(poll + 7)),
  );
  const first = polls.slice(0, 8).reduce((sum, poll) => sum + settleDelayMs(poll), 0);
  expect(Math.abs(first - 25_000)).toBeLessThan(2_000);
});
