import type { Subscription } from '../../../src/custody/objects/subscription';

/** A subscription to notices, as it is kept. */
export type SubscriptionRow = Pick<Subscription, 'id' | 'name' | 'endpoint' | 'enabled'> & {
  /** With `*` among them, it is told of everything. */
  notificationTypes: string[];
  createdAtMs: number;
  updatedAtMs: number;
  /** Kept for the log of its notices, and shown to nobody else. */
  deleted?: boolean;
};

/** Returns true if it includes a type such as `transactions.inbound`. */
export function wants({ enabled, notificationTypes }: SubscriptionRow, type: string): boolean {
  const category = `${type.split('.', 1)[0]}.*`;
  return enabled && ['*', category, type].some((one) => notificationTypes.includes(one));
}

export function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    name: row.name,
    endpoint: row.endpoint,
    enabled: row.enabled,
    createDate: new Date(row.createdAtMs).toISOString(),
    updateDate: new Date(row.updatedAtMs).toISOString(),
    notificationTypes: row.notificationTypes,
    restricted: !row.notificationTypes.includes('*'),
  };
}
