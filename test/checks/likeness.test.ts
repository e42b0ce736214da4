import { likenessOf, looksLike } from '../../src/checks/likeness';
import { anyAddress } from './corpus';

/** The number of hexadecimal digits that two addresses share at their beginning or end. */
function agreeing(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

const digitsOf = (address: string): string => address.slice(2);
const backwards = (text: string): string => [...text].reverse().join('');

/** The rule as a person says it: two digits at each end, and seven in all. */
function agree(one: string, other: string): boolean {
  const [first, second] = [digitsOf(one), digitsOf(other)];
  const start = agreeing(first, second);
  const end = agreeing(backwards(first), backwards(second));
  return one !== other && start >= 2 && end >= 2 && start + end >= 7;
}

describe('the likeness of addresses', () => {
  test('is two digits at each end and seven in all', () => {
    const address = `0x1234567${'0'.repeat(26)}abcde79`;
    const cases = [...Array(9).keys()].flatMap((start) =>
      [...Array(9).keys()].map((end) => {
        const body = 'f'.repeat(40 - start - end);
        const first = digitsOf(address).slice(0, start);
        return `0x${first}${body}${end === 0 ? '' : address.slice(-end)}`;
      }),
    );
    const found = cases.map((one) => looksLike(address, one));
    expect(found).toEqual(cases.map((one) => agree(address, one)));
    expect(found.filter(Boolean)).toHaveLength(43);
    const likeOf = likenessOf([address]);
    expect(cases.map((one) => likeOf(one).length === 1)).toEqual(found);
  });

  test('alarms among 10,000 random addresses and 100,000 others no more often than by chance', () => {
    // A pair agrees by chance where the first p and the last s digits do, with p + s = 7 or more.
    const digit = 1 / 16;
    const byStart = [2, 3, 4].map((start) => digit ** start * (1 - digit) * digit ** (7 - start));
    const chance = byStart.reduce((sum, one) => sum + one, digit ** 5 * digit ** 2);
    const known = Array.from({ length: 100_000 }, anyAddress);
    const likeOf = likenessOf(known);
    let alarms = 0;
    for (let at = 0; at < 10_000; at += 1) alarms += likeOf(anyAddress()).length;
    const expected = 10_000 * known.length * chance;
    expect(expected).toBeCloseTo(14.2, 1);
    expect(alarms).toBeLessThan(expected + 4 * Math.sqrt(expected));
    expect(alarms).toBeGreaterThan(expected - 4 * Math.sqrt(expected));
  });
});
