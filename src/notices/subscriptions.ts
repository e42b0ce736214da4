import type { CustodyApi } from '../custody/endpoints';
import type { Subscription } from '../custody/objects/subscription';
import { ConfigError } from '../variables';

type Api = Pick<
  CustodyApi,
  'createSubscription' | 'listSubscriptions' | 'updateSubscription' | 'deleteSubscription'
>;

/** The notices that orders need. */
const wanted = 'transactions.*';
const nameOfOurs = 'steadfast';

/** A subscription, and what was done for it. */
export type Subscribed = { subscription: Subscription; outcome: 'made' | 'enabled' | 'unchanged' };

/** True if a subscription tells of all transactions, in and out. */
export function tellsOfTransactions({ notificationTypes: types = [] }: Subscription): boolean {
  const has = (type: string): boolean => types.includes(type);
  const both = has('transactions.inbound') && has('transactions.outbound');
  return types.length === 0 || has('*') || has(wanted) || both;
}

/**
 * Subscribes an address to the notices of all transactions. It may be called again: a subscription
 * that is there is kept, and enabled if it is not.
 */
export async function subscribe(api: Api, endpoint: string): Promise<Subscribed> {
  const known = (await api.listSubscriptions({})).filter((one) => one.endpoint === endpoint);
  const [own] = known.filter(tellsOfTransactions);
  if (own === undefined) {
    refuseOtherTypes(endpoint, known);
    const subscription = await api.createSubscription({
      endpoint,
      notificationTypes: [wanted],
    });
    return { subscription, outcome: 'made' };
  }
  if (own.enabled) return { subscription: own, outcome: 'unchanged' };
  const { id, name } = own;
  const enabled = { id, name: name || nameOfOurs, enabled: true };
  return { subscription: await api.updateSubscription(enabled), outcome: 'enabled' };
}

function refuseOtherTypes(endpoint: string, [other]: readonly Subscription[]): void {
  if (other === undefined) return;
  const types = (other.notificationTypes ?? []).join(', ');
  throw new ConfigError(
    `${endpoint} has the subscription ${other.id} already, for ${types}. The types cannot be ` +
      `changed. Remove it first: npx --no-install steadfast webhooks remove ${other.id}`,
  );
}

/** Removes the subscriptions with an id or an address. Returns those that were there. */
export async function unsubscribe(api: Api, idOrEndpoint: string): Promise<Subscription[]> {
  const all = await api.listSubscriptions({});
  const own = all.filter(({ id, endpoint }) => [id, endpoint].includes(idOrEndpoint));
  for (const { id } of own) await api.deleteSubscription({ id });
  return own;
}
