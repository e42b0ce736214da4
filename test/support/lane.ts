/**
 * Set by `npm run test:all`, which repeats kills and fuzz by the hundred. Without it, tests repeat
 * them by the ten.
 */
const isWhole = process.env.TEST_LANE === 'all';

/** The number of times that a proof repeats something in the current lane. */
export function times(count: { short: number; all: number }): number {
  return isWhole ? count.all : count.short;
}
