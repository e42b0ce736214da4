import { periodsMax, type SignedPeriods } from '../../authority/statement';
import { canonicalJson } from '../../custody/canonicalJson';
import { BadOrderError } from '../../orders/input/read';
import { readOrderOf } from '../../orders/kinds';
import { orderOf, type PeriodStart } from '../../orders/schedule/schedule';
import { signRequest } from '../signRequest';
import type { ComingPeriod, Named } from './parts';

/** For jitter, for periods that are caught up, and for the people who approve. */
const marginMs = 30 * 86_400_000;

/**
 * The argument of a schedule with a request for its coming periods, of which it names a hundred at
 * most. As it was, if the client signs nothing. Throws a BadOrderError if the orders differ in more
 * than their references, since one signature is for all of them.
 */
export async function signSchedule(
  place: Named,
  start: PeriodStart,
  coming: readonly ComingPeriod[],
): Promise<PeriodStart> {
  const { kind, template, timeZone, idsBegin: workflowId } = start;
  const signed = coming.slice(0, periodsMax);
  const names = signed.map(({ period }) => period);
  const [first, last] = [signed[0], signed.at(-1)];
  if (place.signing === undefined || first === undefined || last === undefined) return start;
  const periods: SignedPeriods = { template, timeZone, names };
  const { reference: _, ...deciding } = start.order;
  if (canonicalJson(deciding).includes('{period}')) {
    throw new BadOrderError(
      'order: "{period}" stands in a field that decides about money, so that one signature cannot ' +
        'be for all periods. Put it into the reference alone.',
    );
  }
  const order = readOrderOf(kind, orderOf(start, first.period));
  const expires = new Date(Date.parse(last.at) + marginMs);
  const request = await signRequest(place, { kind, workflowId, order, periods, expires });
  return { ...start, order: { ...start.order, request } };
}
