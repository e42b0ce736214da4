import { randomUUID } from 'node:crypto';
import { fault } from '../errors/errors';
import { invalidField } from '../errors/fieldFaults';
import { endpointFault } from '../notifications/endpoint';
import { type SubscriptionRow, toSubscription } from '../store/records/subscriptionRecord';
import type { SandboxApi, Service } from './service';

/** An account of the hosted service has at most so many subscriptions. */
const subscriptionsMax = 20;

/** Subscriptions to notices, and the key that notices are signed with. */
export function subscriptionHandlers(service: Service) {
  const { store, outbox, signer } = service;
  return {
    createSubscription: async ({ endpoint, notificationTypes = [] }) => {
      const problem = endpointFault(endpoint);
      if (problem !== undefined) throw invalidField({ endpoint }, 'endpoint', problem);
      requireRoom(service);
      await requireAnswer(service, endpoint);
      const atMs = Date.now();
      const row: SubscriptionRow = {
        id: randomUUID(),
        name: '',
        endpoint,
        enabled: true,
        notificationTypes: notificationTypes.length === 0 ? ['*'] : [...notificationTypes],
        createdAtMs: atMs,
        updatedAtMs: atMs,
      };
      store.atomically(() => {
        // Others may have come while the endpoint was asked.
        requireRoom(service);
        store.subscriptions.insert(row);
        outbox.addTest(row);
      });
      return toSubscription(row);
    },

    listSubscriptions: async () =>
      store.subscriptions.list({ filters: { deleted: 'no' } }).map(toSubscription),

    getSubscription: async ({ id }) => toSubscription(find(service, id)),

    updateSubscription: async ({ id: given, name, enabled }) => {
      const { id, endpoint } = find(service, given);
      // A subscription whose endpoint is out of order can be switched off all the same.
      if (enabled) await requireAnswer(service, endpoint);
      find(service, id);
      const row = store.subscriptions.update(id, { name, enabled, updatedAtMs: Date.now() });
      service.courier.wake();
      return toSubscription(row);
    },

    deleteSubscription: async ({ id: given }) => {
      const { id } = find(service, given);
      store.atomically(() => {
        store.subscriptions.update(id, { deleted: true });
        for (const notice of store.notices.pendingOf(id)) {
          store.notices.update(notice.id, { status: 'dropped' });
        }
      });
      return {};
    },

    getNotificationSignature: async ({ id }) => {
      const { publicKey } = signer;
      if (id !== publicKey.id) throw fault('noNotificationKey');
      return publicKey;
    },
  } satisfies Partial<SandboxApi>;
}

function find({ store }: Service, id: string): SubscriptionRow {
  const row = store.subscriptions.get(id);
  if (row === undefined || row.deleted) throw fault('noSubscription');
  return row;
}

function requireRoom({ store }: Service): void {
  if (store.subscriptions.where('deleted', 'no').length >= subscriptionsMax) {
    throw fault('tooManySubscriptions');
  }
}

/** The service asks with HEAD, and takes nothing but a success. */
async function requireAnswer({ courier }: Service, endpoint: string): Promise<void> {
  const outcome = await courier.probe(endpoint);
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) return;
  const what = 'status' in outcome ? `It has answered ${outcome.status}` : outcome.error;
  const message = `The endpoint must answer HEAD with 2xx. ${what}`;
  throw invalidField({ endpoint }, 'endpoint', message);
}
