import { sleep } from '@temporalio/workflow';

/** A timer that runs. Unset: none does. */
export type Alarm = { alarmMs?: number | undefined };

/** Rings at a moment. An earlier timer that runs serves as well, since each one is two events. */
export function ringAt(
  alarm: Alarm,
  atMs: number,
  { summary, ring }: { summary?: string; ring?: () => void },
): void {
  const { alarmMs } = alarm;
  if (atMs === Number.POSITIVE_INFINITY || (alarmMs !== undefined && alarmMs <= atMs)) return;
  alarm.alarmMs = atMs;
  const named = summary === undefined ? {} : { summary };
  void sleep(Math.max(atMs - Date.now(), 1), named).then(() => {
    if (alarm.alarmMs === atMs) alarm.alarmMs = undefined;
    ring?.();
  });
}
