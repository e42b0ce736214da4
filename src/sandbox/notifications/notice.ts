import type { NoticeFault } from '../control/faultRule';

/** One request that was to bring a notice to its endpoint, and what came of it. */
export type Attempt = {
  time: string;
  /** What the endpoint has answered. */
  status?: number;
  /** Why there is no answer. */
  error?: string;
  /** How long it took. */
  ms: number;
};

/**
 * A notice to one subscription: an entry of the outbox until it is delivered or given up, and of
 * the delivery log from the start.
 */
export type NoticeRow = {
  id: string;
  subscriptionId: string;
  endpoint: string;
  type: string;
  /** Exactly as it is sent each time, since its bytes are what is signed. */
  body: string;
  /** `dropped` with its subscription. */
  status: 'pending' | 'delivered' | 'failed' | 'dropped';
  /** When it is sent next, while it is pending. */
  dueAtMs: number;
  /** In a row, since it was last to be sent. */
  failures: number;
  attempts: Attempt[];
  /** What a fault plan does to it. */
  fault?: { kind: NoticeFault; delayMs: number };
  /** Nothing is left of that to be done. */
  faultDone?: boolean;
  createdAtMs: number;
};

/** What becomes of a notice after an attempt; a refused one waits as long as the schedule says. */
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
