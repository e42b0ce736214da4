import type { Client } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';

/** Temporal tells no more at once. */
export const matchingTimesMax = 1_000;

/**
 * The times after one moment and up to another at which a schedule starts something. Temporal
 * computes them, with time zone and clock changes. Returns the first thousand at most. These are
 * the nominal times, since our schedules leave jitter to the workflow.
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
