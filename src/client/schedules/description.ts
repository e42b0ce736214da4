import type { ScheduleDescription } from '@temporalio/client';
import type { AttributeName } from '../../orders/progress/status';
import { type OverrideNote, overrideType } from '../../orders/schedule/override';
import { whenOf } from '../../orders/schedule/rhythm';
import type { PeriodStart } from '../../orders/schedule/schedule';
import { type HolidaySpan, holidaySpan } from './holidays';
import { readNote } from './note';
import { orderTerms } from './orderTerms';
import { overridesOf } from './overrides/overrides';
import { type ComingPeriod, type NamedSchedule, nextPeriods, periodsOf, startIn } from './parts';
import { type SignedSpan, signedSpan } from './signSchedule';
import { type Trouble, troublesOf } from './troubles';

/** A schedule with all that decides what it starts, and what has come of its last periods. */
export type DescribedSchedule = {
  id: string;
  kind: string;
  /** The order in one line, with "{period}" where the period goes. */
  order: string;
  when: string;
  timeZone: string;
  template: string;
  jitterMs: number;
  /** Why it starts nothing, while it does not. */
  paused?: string;
  /** After this moment it starts no more. */
  until?: string;
  /** The periods before that, a thousand at most. */
  runsLeft?: number;
  holidays?: HolidaySpan;
  /** Until when it is signed, if it is. */
  signed?: SignedSpan;
  catchUpMs: number;
  /** Periods that Temporal was away for longer than that, since it was created. */
  missed: number;
  next: ComingPeriod[];
  /** Periods that have another order, or none, and have not started. */
  overrides: OverrideNote[];
  /** Orders of the last periods, newest first. */
  orders: { workflowId: string; period: string; status: string }[];
  /** The last periods whose orders were not started, with the reason. */
  troubles: Trouble[];
};

const ordersMax = 10;
const runsMax = 1_000;

/** Puts together what Temporal knows of a schedule, and of the orders that it has started. */
export async function describeSchedule(
  place: NamedSchedule,
  told: ScheduleDescription,
): Promise<DescribedSchedule> {
  const start = startIn(told);
  const { kind, timeZone, template, jitterMs } = start;
  const { state, spec, policies, info } = told;
  const [orders, troubles, overrides] = await Promise.all([
    ordersOf(place, start),
    troublesOf(place, start),
    overridesOf(place, start),
  ]);
  const signed = signedSpan(told);
  const holidays = holidaySpan(start);
  return {
    id: place.id,
    kind,
    order: orderTerms(start),
    when: whenOf(start),
    timeZone,
    template,
    jitterMs,
    ...(state.paused ? { paused: await readNote(place.client, state.note) } : {}),
    ...(spec.endAt === undefined ? {} : { until: spec.endAt.toISOString() }),
    ...(start.rhythm.until === undefined ? {} : { runsLeft: nextPeriods(start, runsMax).length }),
    ...(signed === undefined ? {} : { signed }),
    ...(holidays === undefined ? {} : { holidays }),
    catchUpMs: policies.catchupWindow,
    missed: info.numActionsMissedCatchupWindow,
    next: periodsOf(start, info.nextActionTimes.slice(0, 5)),
    overrides,
    orders,
    troubles,
  };
}

async function ordersOf(
  { client }: NamedSchedule,
  { idsBegin }: PeriodStart,
): Promise<DescribedSchedule['orders']> {
  // An override that waits is no order yet.
  const query = `WorkflowId STARTS_WITH '${idsBegin}:' AND WorkflowType != '${overrideType}'`;
  const orders = new Map<string, DescribedSchedule['orders'][number]>();
  for await (const run of client.workflow.list({ query, pageSize: 50 })) {
    const { workflowId, searchAttributes, status } = run;
    const name: AttributeName = 'SteadfastStatus';
    const period = workflowId.slice(idsBegin.length + 1);
    const told = String(searchAttributes[name]?.[0] ?? status.name);
    // The newest run of an order is the one that counts.
    if (!orders.has(workflowId)) orders.set(workflowId, { workflowId, period, status: told });
    if (orders.size === ordersMax) break;
  }
  return [...orders.values()];
}
