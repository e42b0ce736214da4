import { noticedDelayMs, settleDelayMs } from '../../../workflows/write/delays';

const polls = Array.from({ length: 40 }, (_, index) => index + 1);
const ageAt = (poll: number, delayMs: (poll: number) => number): number =>
  polls.slice(0, poll).reduce((sum, one) => sum + delayMs(one), 0);

test.each([4_000, 5_000, 10_000, 25_000])(
  'where a notice is expected within %d ms, later polls come as in a transaction of that age',
  (withinMs) => {
    const delayMs = (poll: number): number => noticedDelayMs(poll, withinMs);
    expect(delayMs(1)).toBe(withinMs);
    const usual = polls.map((poll) => ageAt(poll, settleDelayMs));
    const saved = usual.filter((ageMs) => ageMs <= withinMs).length;
    expect(polls.slice(1).map(delayMs)).toEqual(
      polls.slice(1).map((poll) => settleDelayMs(poll + saved)),
    );
    expect(Math.abs(ageAt(2, delayMs) - ageAt(saved + 2, settleDelayMs))).toBeLessThan(5_000);
  },
);
