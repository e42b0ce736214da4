import { BadOrderError } from '../../orders/input/read';
import { readOrderOf } from '../../orders/kinds';
import { periodAt } from '../../orders/schedule/period';
import { orderOf, type PeriodStart } from '../../orders/schedule/schedule';
import { signRequest } from '../signRequest';
import type { Named } from './parts';

const yearMs = 365 * 86_400_000;

/**
 * The argument of a schedule, with one request for the orders of all periods, where the client
 * signs. It counts from the present period on, for a year or until the schedule ends. Throws a
 * BadOrderError if the periods move different money, since one signature cannot name it all.
 */
export async function signSchedule(
  place: Named,
  start: PeriodStart,
  endsMs: number | undefined,
): Promise<PeriodStart> {
  const { kind, template, timeZone, idsBegin: workflowId } = start;
  const nowMs = Date.now();
  const requestAt = (atMs: number) =>
    signRequest(place, {
      kind,
      workflowId,
      order: readOrderOf(kind, orderOf(start, periodAt(template, atMs, timeZone))),
      periods: { template, timeZone, from: new Date(nowMs).toISOString() },
      expires: new Date(endsMs ?? nowMs + yearMs),
    });
  const request = await requestAt(nowMs);
  if (request === undefined) return start;
  const later = await requestAt(nowMs + 2 * yearMs);
  if (later?.statement === request.statement)
    return { ...start, order: { ...start.order, request } };
  throw new BadOrderError(
    'order: "{period}" stands in a field that decides about money, so that one signature cannot be ' +
      'for all periods. Put it into the reference alone.',
  );
}
