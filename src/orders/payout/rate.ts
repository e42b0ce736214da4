/** The fastest of all limits and paces that can be set, a second. */
export const rateMax = 10_000;
/** The slowest pace of a payout, in lines a second. */
export const rateMin = 0.01;

/** True if a rate limit can be set to this number. Zero cannot, since pausing does that. */
export function isRate(perSecond: number): boolean {
  return perSecond > 0 && perSecond <= rateMax;
}
