import type { Attempt, NoticeRow } from '../store/records/notices';

/** The state of a notice after an attempt. A refused one waits as long as the schedule says. */
export function afterAttempt(
  { fault, faultDone, failures }: NoticeRow,
  attempt: Attempt,
  { nowMs, retryMs }: { nowMs: number; retryMs: readonly number[] },
): Partial<NoticeRow> {
  if (isSuccess(attempt)) {
    if (fault?.kind !== 'duplicateNotice' || faultDone) return { status: 'delivered' };
    return { faultDone: true, failures: 0, dueAtMs: nowMs + fault.delayMs };
  }
  const waitMs = retryMs[failures];
  const next = { failures: failures + 1, ...(fault?.kind === 'loseNotice' && { faultDone: true }) };
  if (waitMs === undefined) return { ...next, status: 'failed' };
  return { ...next, dueAtMs: nowMs + waitMs };
}

function isSuccess({ status = 0 }: Attempt): boolean {
  return status >= 200 && status < 300;
}
