import type { NoticeFault } from '../../faults/faultRule';
import type { Statements } from '../statements';

/** One request that was to bring a notice to its endpoint, and what came of it. */
export type NoticeAttempt = {
  time: string;
  /** The status of the endpoint's answer. */
  status?: number;
  /** Why there is no answer. */
  error?: string;
  /** The duration of the attempt. */
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
  attempts: NoticeAttempt[];
  /** The fault that a fault plan gives it. */
  fault?: { kind: NoticeFault; delayMs: number };
  /** Nothing is left of that to be done. */
  faultDone?: boolean;
  createdAtMs: number;
};

/** A range of notices, by numbers or by times, both ends included. */
export type NoticeRange = {
  fromNumber?: number | undefined;
  toNumber?: number | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
};

/** A notice and its place in the order in which notices were put down. */
export type NumberedNotice = NoticeRow & { number: number };

/** The queries of the courier and the delivery log. */
export function noticeQueries(run: Statements) {
  const ofSubscription = `FROM notices INDEXED BY noticesBySubscriptionIdAndStatusAndDueAtMs
    WHERE subscriptionId = ? AND status = 'pending'`;
  return {
    /** The notices of a subscription that are due by this time, longest waiting first. */
    due: (subscriptionId: string, atMs: number, limit: number) =>
      run.docs<NoticeRow>(
        `SELECT doc ${ofSubscription} AND dueAtMs <= ? ORDER BY dueAtMs, seq LIMIT ?`,
        subscriptionId,
        atMs,
        limit,
      ),
    /** When the first is due that is due after this time. */
    firstDueAfter: (atMs: number) =>
      run.number(
        `SELECT MIN(dueAtMs) AS number FROM notices INDEXED BY noticesByStatusAndDueAtMs
         WHERE status = 'pending' AND dueAtMs > ?`,
        atMs,
      ),
    /** The notices that are due after this time. */
    dueAfter: (atMs: number) =>
      run.docs<NoticeRow>(
        `SELECT doc FROM notices INDEXED BY noticesByStatusAndDueAtMs
         WHERE status = 'pending' AND dueAtMs > ?`,
        atMs,
      ),
    /** All that waits to be sent to a subscription. */
    pendingOf: (subscriptionId: string) =>
      run.docs<NoticeRow>(`SELECT doc ${ofSubscription}`, subscriptionId),
    /** The notices with a number above this one, oldest first. */
    after: (number: number, limit: number) =>
      run.docs<NumberedNotice>(
        `SELECT json_set(doc, '$.number', seq) AS doc FROM notices
         WHERE seq > ? ORDER BY seq LIMIT ?`,
        number,
        limit,
      ),
    between: ({ fromNumber, toNumber, fromMs, toMs }: NoticeRange) =>
      run.docs<NoticeRow>(
        `SELECT doc FROM notices
         WHERE seq BETWEEN ? AND ? AND createdAtMs BETWEEN ? AND ? ORDER BY seq`,
        fromNumber ?? 0,
        toNumber ?? Number.MAX_SAFE_INTEGER,
        fromMs ?? 0,
        toMs ?? Number.MAX_SAFE_INTEGER,
      ),
  };
}
