import { BadOrderError } from '../../orders/input/read';
import { endOfTime, timesIn, whenOf } from '../../orders/schedule/rhythm';
import type { PeriodStart } from '../../orders/schedule/schedule';
import { matchingTimes } from '../../temporal/matchingTimes';
import type { Named } from './parts';

/** So many times are compared, which are four times as many as a signature names. */
const comparedMax = 400;

/**
 * Compares the coming times of a schedule in Temporal with those that this machine computes. Throws
 * a BadOrderError that names the first difference.
 */
export async function refuseOtherTimes(
  { client, scheduleId }: Named,
  start: PeriodStart,
): Promise<void> {
  const span = [Date.now(), endOfTime] as const;
  const told = await matchingTimes(client, scheduleId, span);
  const theirs = told.slice(0, comparedMax);
  const ours = timesIn(start, span, comparedMax);
  const at = Array.from({ length: comparedMax }, (_, index) => index).find(
    (index) => theirs[index] !== ours[index],
  );
  if (at === undefined) return;
  throw new BadOrderError(
    `id: Temporal would start ${scheduleId} at other times than ${whenOf(start)}: at ` +
      `${inWords(theirs[at])} instead of ${inWords(ours[at])}. Nothing is signed. Somebody has ` +
      'changed it, or Temporal reads these times in another way. Give simpler times, or UTC.',
  );
}

function inWords(time: number | undefined): string {
  return time === undefined ? 'no time' : new Date(time).toISOString();
}
