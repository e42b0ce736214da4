import type { Client } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';

/** Temporal tells no more at once. */
export const matchingTimesMax = 1_000;

/**
 * The times at which a schedule is to start something, after one moment and up to another: as
 * Temporal itself works them out, time zone, clock changes and all. At most a thousand, the first.
 * Our schedules leave jitter to us, so these are their nominal times.
 */
export async function matchingTimes(
  client: Pick<Client, 'workflowService' | 'options'>,
  scheduleId: string,
  [afterMs, toMs]: readonly [afterMs: number, toMs: number],
): Promise<number[]> {
  const { startTime } = await client.workflowService.listScheduleMatchingTimes({
    namespace: client.options.namespace,
    scheduleId,
    startTime: msToTs(afterMs),
    endTime: msToTs(toMs),
  });
  return startTime.flatMap((time) => optionalTsToMs(time) ?? []);
}
