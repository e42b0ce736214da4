import { randomUUID } from 'node:crypto';
import { isNoticeFault } from '../faults/faultRule';
import type { Faults } from '../faults/faults';
import type { NoticeRow } from '../store/records/notices';
import { type SubscriptionRow, wants } from '../store/records/subscriptionRecord';
import type { Store } from '../store/store';

/** The notices to send. Each is recorded in the commit of its event, and sent after that. */
export type Outbox = ReturnType<typeof createOutbox>;

export type OutboxParts = {
  store: Pick<Store, 'subscriptions' | 'notices'>;
  faults: Pick<Faults, 'hit'>;
  /** Hears that there is something to be sent. */
  added: () => void;
};

/** The content of a notice to one subscription. */
type Told = { type: string; notification: Record<string, unknown>; ids?: string };

/** As the documents have them in the test notice. */
const noId = '00000000-0000-0000-0000-000000000000';

export function createOutbox({ store, faults, added }: OutboxParts) {
  const now = createClock();
  const put = (subscription: SubscriptionRow, { type, notification, ids }: Told): void => {
    const id = randomUUID();
    const nowNs = now();
    const body = {
      subscriptionId: ids ?? subscription.id,
      notificationId: ids ?? id,
      notificationType: type,
      notification,
      timestamp: isoNanoseconds(nowNs),
      version: 2,
    };
    const fault = faultOf(faults, { type, notification });
    const lateMs = fault?.kind === 'lateNotice' ? fault.delayMs : 0;
    store.notices.insert({
      id,
      subscriptionId: subscription.id,
      endpoint: subscription.endpoint,
      type,
      body: JSON.stringify(body),
      status: 'pending',
      dueAtMs: Date.now() + lateMs,
      failures: 0,
      attempts: [],
      ...(fault === undefined ? {} : { fault }),
      createdAtMs: Number(nowNs / nsPerMs),
    });
    added();
  };
  return {
    /** A notice of this type to each subscription that wants it. */
    add: (type: string, notification: Record<string, unknown>): void => {
      for (const subscription of store.subscriptions.where('deleted', 'no')) {
        if (wants(subscription, type)) put(subscription, { type, notification });
      }
    },
    /** The notice that a new subscription begins with. */
    addTest: (subscription: SubscriptionRow): void => {
      put(subscription, { type: 'webhooks.test', notification: { hello: 'world' }, ids: noId });
    },
  };
}

/** The fault plan's fault for a notice. It is decided once, with the notice itself. */
function faultOf(faults: OutboxParts['faults'], { type, notification }: Told): NoticeRow['fault'] {
  const { walletId } = notification;
  const target = {
    notificationType: type,
    walletId: typeof walletId === 'string' ? walletId : undefined,
  };
  const rule = faults.hit(target, isNoticeFault);
  return rule && { kind: rule.kind, delayMs: rule.delayMs ?? 0 };
}

const nsPerMs = 1_000_000n;

/** The time in nanoseconds: it never stands still, so that of two notices the later one is told. */
function createClock(): () => bigint {
  let lastNs = 0n;
  return () => {
    const nowNs = BigInt(Date.now()) * nsPerMs + (process.hrtime.bigint() % nsPerMs);
    lastNs = nowNs > lastNs ? nowNs : lastNs + 1n;
    return lastNs;
  };
}

/** To the nanosecond, as the service writes the moments of notices. */
function isoNanoseconds(atNs: bigint): string {
  const withinMs = String(atNs % nsPerMs).padStart(6, '0');
  return `${new Date(Number(atNs / nsPerMs)).toISOString().slice(0, -1)}${withinMs}Z`;
}
