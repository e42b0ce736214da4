/** The fastest of all limits and paces that can be set, a second. */
export const rateMax = 10_000;

/** Whether so many a second is a limit that can be set: none at all is what pausing is for. */
export function isRate(perSecond: number): boolean {
  return perSecond > 0 && perSecond <= rateMax;
}
