import type { NoticeRow } from '../notifications/notice';
import type { Statements } from './statements';

/** Which notices, by their numbers or their moments, from the first to the last, both included. */
export type NoticeRange = {
  fromNumber?: number | undefined;
  toNumber?: number | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
};

/** A notice and its place in the order in which notices were put down. */
export type NumberedNotice = NoticeRow & { number: number };

/** What the courier and the delivery log ask for. */
export type NoticeQueries = {
  /** What is to be sent to a subscription by this time, what has waited longest first. */
  due(subscriptionId: string, atMs: number, limit: number): NoticeRow[];
  /** When the first is due that is due after this time. */
  firstDueAfter(atMs: number): number | undefined;
  /** All that waits to be sent to a subscription. */
  pendingOf(subscriptionId: string): NoticeRow[];
  /** Those with a number above this one, oldest first. */
  after(number: number, limit: number): NumberedNotice[];
  between(range: NoticeRange): NoticeRow[];
};

export function noticeQueries(run: Statements): NoticeQueries {
  const ofSubscription = `FROM notices INDEXED BY noticesBySubscriptionIdAndStatusAndDueAtMs
    WHERE subscriptionId = ? AND status = 'pending'`;
  return {
    due: (subscriptionId, atMs, limit) =>
      run.docs(
        `SELECT doc ${ofSubscription} AND dueAtMs <= ? ORDER BY dueAtMs, seq LIMIT ?`,
        subscriptionId,
        atMs,
        limit,
      ),
    firstDueAfter: (atMs) =>
      run.number(
        `SELECT MIN(dueAtMs) AS number FROM notices INDEXED BY noticesByStatusAndDueAtMs
         WHERE status = 'pending' AND dueAtMs > ?`,
        atMs,
      ),
    pendingOf: (subscriptionId) => run.docs(`SELECT doc ${ofSubscription}`, subscriptionId),
    after: (number, limit) =>
      run.docs(
        `SELECT json_set(doc, '$.number', seq) AS doc FROM notices
         WHERE seq > ? ORDER BY seq LIMIT ?`,
        number,
        limit,
      ),
    between: ({ fromNumber, toNumber, fromMs, toMs }) =>
      run.docs(
        `SELECT doc FROM notices
         WHERE seq BETWEEN ? AND ? AND createdAtMs BETWEEN ? AND ? ORDER BY seq`,
        fromNumber ?? 0,
        toNumber ?? Number.MAX_SAFE_INTEGER,
        fromMs ?? 0,
        toMs ?? Number.MAX_SAFE_INTEGER,
      ),
  };
}
