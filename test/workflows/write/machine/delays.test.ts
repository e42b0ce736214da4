import { isSlow, noticedDelayMs, settleDelayMs } from '../../../../workflows/write/machine/delays';

const polls = Array.from({ length: 40 }, (_, index) => index + 1);
const ageAt = (poll: number, delayMs: (poll: number) => number): number =>
  polls.slice(0, poll).reduce((sum, one) => sum + delayMs(one), 0);

test.each([4_000, 5_000, 10_000, 24_000, 25_000])(
  'where a notice is expected within %d ms, a slower transaction is asked for again at 25 s',
  (withinMs) => {
    const delayMs = (poll: number): number => noticedDelayMs(poll, withinMs);
    expect(delayMs(1)).toBe(withinMs);
    const ages = polls.map((poll) => ageAt(poll, delayMs));
    const [again = 0, ...later] = ages.filter((ageMs) => ageMs >= 25_000);
    expect(ages.indexOf(again)).toBe(withinMs < 25_000 ? 1 : 0);
    expect(again).toBeLessThan(27_000);
    const usual = polls.map((poll) => ageAt(poll, settleDelayMs));
    const next = usual.filter((ageMs) => ageMs > 25_000);
    for (const [at, ageMs] of later.slice(0, 20).entries()) {
      expect(Math.abs(ageMs - (next[at + 1] ?? 0))).toBeLessThan(15_000);
    }
  },
);

test('a write is late once nearly all others have settled', () => {
  const nowMs = Date.now();
  expect(isSlow({ knownAtMs: nowMs - 25_000 })).toBe(false);
  expect(isSlow({ knownAtMs: nowMs - 31_000 })).toBe(true);
  // The attempt counts, where there was one: an order may have waited for an approval before.
  expect(isSlow({ knownAtMs: nowMs - 31_000, bornAtMs: nowMs - 25_000 })).toBe(false);
});
