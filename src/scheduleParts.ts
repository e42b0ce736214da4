import {
  type Client,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { readScheduleId, workflowIdOf } from './orders/orderId';
import { periodAt } from './orders/period';
import { BadOrderError } from './orders/read';
import { type PeriodStart, periodStart } from './orders/schedule';

export type SchedulesOptions = {
  client: Client;
  taskQueue: string;
  /** Comes before the id of each schedule, and of each order that it starts. */
  keyScope?: string;
  /** Whether payloads are encrypted, and ids are to tell nothing. */
  isPrivate?: boolean;
};

/** A schedule by the caller's own id, and by the one that Temporal knows it by. */
export type Named = SchedulesOptions & { id: string; scheduleId: string; handle: ScheduleHandle };

/** A period of a schedule, and the time at which it comes, ISO 8601. */
export type ComingPeriod = { period: string; at: string };

/** A schedule by the caller's id; throws a BadOrderError where the id cannot be one. */
export function named(options: SchedulesOptions, id: string): Named {
  const scheduleId = workflowIdOf(readScheduleId(id), options.keyScope ?? '');
  return { ...options, id, scheduleId, handle: options.client.schedule.getHandle(scheduleId) };
}

/** Asks something of a schedule that must be there. */
export async function asked<T>({ scheduleId }: Named, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    throw new BadOrderError(`id: Temporal knows no schedule "${scheduleId}".`);
  }
}

/** What a schedule starts its periods with; throws a BadOrderError where it is none of ours. */
export function startIn({ action, scheduleId }: ScheduleDescription): PeriodStart {
  const start = periodStart.safeParse(action.args?.[0]);
  if (start.success && action.workflowType === 'startPeriod') return start.data;
  throw new BadOrderError(`id: the schedule "${scheduleId}" was not created by Steadfast.`);
}

/** The periods that times of a schedule stand for. */
export function periodsOf(
  { template, timeZone }: Pick<PeriodStart, 'template' | 'timeZone'>,
  times: readonly Date[],
): ComingPeriod[] {
  return times.map((time) => ({
    period: periodAt(template, time.getTime(), timeZone),
    at: time.toISOString(),
  }));
}
