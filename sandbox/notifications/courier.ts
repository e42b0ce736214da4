import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config/settings';
import { createBell } from '../engine/bell';
import { report } from '../errors/report';
import { delayMsMax } from '../faults/faultRule';
import type { NoticeAttempt, NoticeRow } from '../store/records/notices';
import type { Store } from '../store/store';
import { type CallOutcome, call } from './call';
import type { NoticeSigner } from './signer';

type Parts = {
  store: Pick<Store, 'subscriptions' | 'notices'>;
  settings: Pick<Settings, 'webhookRetryMs' | 'webhookTimeoutMs'>;
  signer: Pick<NoticeSigner, 'headers'>;
};

/** At a time and to one subscription: a slow endpoint holds up nobody but itself. */
const underWayMax = 10;
const pauseMs = 1_000;

/**
 * Sends due notices. No notice waits for another one. A failed one is retried after the pauses of
 * `webhookRetryMs`, until they are used up.
 */
export function createCourier({ store, settings, signer }: Parts) {
  const bell = createBell();
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  /** By the id of the notice. */
  const underWay = new Map<string, { subscriptionId: string; sent: Promise<void> }>();
  let running: Promise<void> | undefined;

  const attempt = async (notice: NoticeRow): Promise<NoticeAttempt | undefined> => {
    const atMs = Date.now();
    const { body, fault, faultDone } = notice;
    const isLost = fault?.kind === 'loseNotice' && !faultDone;
    const outcome = isLost
      ? { error: 'Lost by the fault plan' }
      : await post(notice.endpoint, body);
    if (end.signal.aborted) return undefined;
    return { time: new Date(atMs).toISOString(), ...outcome, ms: Date.now() - atMs };
  };

  const post = (endpoint: string, body: string): Promise<CallOutcome> => {
    const headers = { 'content-type': 'application/json', ...signer.headers(body) };
    const { webhookTimeoutMs: timeoutMs } = settings;
    return call(endpoint, { method: 'POST', headers, body, timeoutMs, ended: end.signal });
  };

  const send = async (notice: NoticeRow): Promise<void> => {
    const made = await attempt(notice);
    const now = store.notices.get(notice.id);
    if (made === undefined || now === undefined) return;
    const attempts = [...now.attempts, made];
    // Dropped, or asked for again, while it was on its way: that stays as it is.
    const isOvertaken = now.status !== 'pending' || now.dueAtMs !== notice.dueAtMs;
    const due = { nowMs: Date.now(), retryMs: settings.webhookRetryMs };
    const next = isOvertaken ? {} : afterAttempt(now, made, due);
    store.notices.update(notice.id, { attempts, ...next });
  };

  const begin = (notice: NoticeRow): void => {
    const sent = send(notice)
      .catch(pause)
      .finally(() => {
        underWay.delete(notice.id);
        bell.ring();
      });
    underWay.set(notice.id, { subscriptionId: notice.subscriptionId, sent });
  };

  /** Returns how long it is until there is more to be sent. */
  const turn = (): number | undefined => {
    const nowMs = Date.now();
    const longestMs = Math.max(delayMsMax, ...settings.webhookRetryMs);
    // Further ahead than any wait: the clock was set back.
    for (const { id } of store.notices.dueAfter(nowMs + longestMs)) {
      if (!underWay.has(id)) store.notices.update(id, { dueAtMs: nowMs });
    }
    for (const { id, enabled } of store.subscriptions.where('deleted', 'no')) {
      if (!enabled) continue;
      const own = [...underWay.values()].filter(({ subscriptionId }) => subscriptionId === id);
      const due = store.notices.due(id, nowMs, underWayMax).filter((one) => !underWay.has(one.id));
      for (const notice of due.slice(0, underWayMax - own.length)) begin(notice);
    }
    const nextMs = store.notices.firstDueAfter(nowMs);
    return nextMs && Math.max(0, nextMs - Date.now());
  };

  /** The sandbox's own disk or so is out of order. It gets a pause before the next attempt. */
  const pause = async (error: unknown): Promise<void> => {
    report('Notices could not be sent, and are tried again', error);
    await sleep(pauseMs, undefined, { signal: end.signal }).catch(() => {});
  };

  const run = async (): Promise<void> => {
    while (!end.signal.aborted) {
      try {
        await bell.wait(turn());
      } catch (error) {
        await pause(error);
      }
    }
  };

  return {
    /** Begins with what was not delivered before a crash. */
    start: (): void => {
      running ??= run();
    },
    /** There is something new to be sent. */
    wake: bell.ring,
    /** Asks an endpoint with HEAD. Resolves with its status, or with the error. */
    probe: (endpoint: string): Promise<CallOutcome> => {
      const { webhookTimeoutMs: timeoutMs } = settings;
      return call(endpoint, { method: 'HEAD', timeoutMs, ended: end.signal });
    },
    /** Waits for no endpoint: what is on its way is sent again after the next start. */
    stop: async (): Promise<void> => {
      end.abort();
      bell.ring();
      await running;
      await Promise.all([...underWay.values()].map(({ sent }) => sent));
    },
  };
}

/** The state of a notice after an attempt. A refused one waits as long as the schedule says. */
function afterAttempt(
  { fault, faultDone, failures }: NoticeRow,
  attempt: NoticeAttempt,
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

function isSuccess({ status = 0 }: NoticeAttempt): boolean {
  return status >= 200 && status < 300;
}
