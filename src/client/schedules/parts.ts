import {
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { readScheduleId, workflowIdOf } from '../../orders/input/orderId';
import { BadOrderError } from '../../orders/input/read';
import { kindOf } from '../../orders/kinds';
import { closeKind, closeWord } from '../../orders/schedule/dailyClose';
import { periodAt } from '../../orders/schedule/period';
import { endOfTime, timesIn } from '../../orders/schedule/rhythm';
import { type PeriodStart, periodStart, type ScheduledKind } from '../../orders/schedule/schedule';
import type { SteadfastOptions } from '../options';

/** A schedule by the caller's own id, and by the one that Temporal knows it by. */
export type NamedSchedule = SteadfastOptions & {
  id: string;
  scheduleId: string;
  handle: ScheduleHandle;
};

/** A period of a schedule, and the time at which it comes, ISO 8601. */
export type ComingPeriod = { period: string; at: string };

/**
 * Finds a schedule by the caller's id, or by the one that Temporal UI and messages show. Throws a
 * BadOrderError when the id is malformed.
 */
export function named(options: SteadfastOptions, given: string): NamedSchedule {
  const { keyScope = '' } = options;
  const id = readScheduleId(given, keyScope);
  const scheduleId = workflowIdOf(id, keyScope);
  return { ...options, id, scheduleId, handle: options.client.schedule.getHandle(scheduleId) };
}

/** Asks something of a schedule that must be there. */
export async function askSchedule<T>(
  { scheduleId }: NamedSchedule,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    throw new BadOrderError(`id: Temporal knows no schedule "${scheduleId}".`);
  }
}

/**
 * Reads the argument that a schedule starts its periods with. Throws a BadOrderError when Steadfast
 * did not create the schedule.
 */
export function startIn({ action, scheduleId }: ScheduleDescription): PeriodStart {
  const start = periodStart.safeParse(action.args?.[0]);
  if (start.success && action.workflowType === 'startPeriod') return start.data;
  throw new BadOrderError(`id: the schedule "${scheduleId}" was not created by Steadfast.`);
}

/** The start of the ids of a schedule's orders, before the period. */
export function idsBeginOf({ id, keyScope = '' }: NamedSchedule, kind: ScheduledKind): string {
  // A close is of the account, whichever schedule starts it.
  const begin = kind === closeKind ? closeWord : `${kindOf(kind).idWord}:${id}`;
  return workflowIdOf(begin, keyScope);
}

/** True if the argument that Temporal shows is of this schedule. What is shown is a claim. */
export function isOwnStart(
  place: NamedSchedule,
  { scheduleId, idsBegin, kind }: PeriodStart,
): boolean {
  return scheduleId === place.scheduleId && idsBegin === idsBeginOf(place, kind);
}

/** The periods that times of a schedule stand for. */
export function periodsOf(
  { template, timeZone }: Pick<PeriodStart, 'template' | 'timeZone'>,
  times: readonly (Date | number)[],
): ComingPeriod[] {
  return times.map((time) => {
    const at = new Date(time);
    return { period: periodAt(template, at.getTime(), timeZone), at: at.toISOString() };
  });
}

/** The next periods of a schedule after this moment, computed on this machine. */
export function nextPeriods(start: PeriodStart, max: number): ComingPeriod[] {
  return periodsOf(start, timesIn(start, [Date.now(), endOfTime], max));
}
