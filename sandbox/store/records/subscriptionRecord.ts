import type { Subscription } from '../../../src/custody/objects/subscription';

/** A subscription to notices, as it is kept. */
export type SubscriptionRow = Pick<Subscription, 'id' | 'name' | 'endpoint' | 'enabled'> & {
  /** A `*` among them means everything. */
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
  const { createdAtMs, updatedAtMs, deleted: _, ...rest } = row;
  return {
    ...rest,
    createDate: new Date(createdAtMs).toISOString(),
    updateDate: new Date(updatedAtMs).toISOString(),
    restricted: !row.notificationTypes.includes('*'),
  };
}
