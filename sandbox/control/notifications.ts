import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseInput } from '../errors/fieldFaults';
import type { NoticeRange, NumberedNotice } from '../store/records/notices';
import type { Store } from '../store/store';

type Records = Pick<Store, 'notices' | 'atomically' | 'subscriptions'>;

type Service = { use(): Promise<{ store: Records; wake(): void }> };

const shownMax = 1_000;
export const afterQuery = z.strictObject({ after: z.coerce.number().int().min(0).default(0) });
const bound = z.union([z.int().min(1), z.iso.datetime({ offset: true })]);

/** The notices to send once more: by their numbers, or by the times of their creation. */
const resendOrder = z.strictObject({
  from: bound.optional(),
  to: bound.optional(),
  subscriptionId: z.guid().toLowerCase().optional(),
  types: z.array(z.string()).optional(),
});

/** The delivery log of webhooks, and its button "resend". */
export function addNotifications(control: FastifyInstance, current: Service): void {
  control.get('/_sandbox/notifications', async ({ query }) => {
    const { after } = parseInput(afterQuery, query);
    const { store } = await current.use();
    return { notifications: store.notices.after(after, shownMax).map(shown) };
  });
  control.post('/_sandbox/notifications/resend', async ({ body }) => {
    const order = parseInput(resendOrder, body ?? {});
    const { store, wake } = await current.use();
    const resent = resend(store, order);
    wake();
    return { resent };
  });
}

function shown({ number, dueAtMs, createdAtMs, ...notice }: NumberedNotice) {
  const { id, subscriptionId, endpoint, type, status, attempts, fault, body } = notice;
  return {
    number,
    id,
    time: new Date(createdAtMs).toISOString(),
    subscriptionId,
    endpoint,
    notificationType: type,
    status,
    ...(status === 'pending' && { due: new Date(dueAtMs).toISOString() }),
    ...(fault && { fault: fault.kind }),
    attempts,
    body,
  };
}

/** Resends notices in any status, except those of a deleted subscription. */
function resend(store: Records, order: z.output<typeof resendOrder>): number {
  const { from, to, subscriptionId, types } = order;
  const range: NoticeRange = {
    ...(typeof from === 'number' ? { fromNumber: from } : { fromMs: momentMs(from) }),
    ...(typeof to === 'number' ? { toNumber: to } : { toMs: momentMs(to) }),
  };
  return store.atomically(() => {
    const chosen = store.notices
      .between(range)
      .filter((notice) => subscriptionId === undefined || notice.subscriptionId === subscriptionId)
      .filter(({ type }) => types === undefined || types.includes(type))
      .filter((notice) => !store.subscriptions.get(notice.subscriptionId)?.deleted);
    for (const { id } of chosen) {
      store.notices.update(id, { status: 'pending', dueAtMs: Date.now(), failures: 0 });
    }
    return chosen.length;
  });
}

function momentMs(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Date.parse(moment);
}
