import { BadOrderError } from '../../orders/input/read';
import { endOfTime, timesIn, whenOf } from '../../orders/schedule/rhythm';
import type { PeriodStart } from '../../orders/schedule/schedule';
import { matchingTimes } from '../temporal/matchingTimes';
import type { NamedSchedule } from './parts';

/** So many times are compared, which are four times as many as a signature names. */
const comparedMax = 400;

/**
 * Compares the coming times of a schedule in Temporal with those that this machine computes. Throws
 * a BadOrderError that names the first difference.
 */
export async function refuseOtherTimes(place: NamedSchedule, start: PeriodStart): Promise<void> {
  // Temporal counts the end of a span. Rare times, such as those of each year, come up to it.
  const span = [Date.now(), endOfTime - 1] as const;
  const theirs = await matchingTimes(place.client, place.scheduleId, span);
  const ours = timesIn(start, span, comparedMax);
  refuseDifferentTimes(place, start, {
    ours,
    theirs: theirs.slice(0, comparedMax),
    nothing: 'Nothing is signed',
  });
}

/** The times of this machine, and those of Temporal, none of which follows yet. */
type Compared = { ours: readonly number[]; theirs: readonly number[]; nothing: string };

/** Throws a BadOrderError that names the first difference between two lists of times. */
export function refuseDifferentTimes(
  { scheduleId }: Pick<NamedSchedule, 'scheduleId'>,
  start: PeriodStart,
  { ours, theirs, nothing }: Compared,
): void {
  const longer = ours.length > theirs.length ? ours : theirs;
  const at = longer.findIndex((_, index) => theirs[index] !== ours[index]);
  if (at === -1) return;
  throw new BadOrderError(
    `id: Temporal would start ${scheduleId} at other times than ${whenOf(start)}: at ` +
      `${inWords(theirs[at])} instead of ${inWords(ours[at])}. ${nothing}. Somebody has ` +
      'changed it, or Temporal reads these times in another way. Give simpler times, or UTC.',
  );
}

function inWords(time: number | undefined): string {
  return time === undefined ? 'no time' : new Date(time).toISOString();
}
