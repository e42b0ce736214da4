import { type MonitorScope, monitorScopes } from '../custody/token';
import type { Store } from './store/store';

type Records = Pick<Store, 'monitoredTokens' | 'setting'>;

const setting = 'tokenMonitorScope';

/** The scope of monitoring; undefined until it is set, by itself or with the first tokens. */
export function monitorScope(store: Pick<Store, 'setting'>): MonitorScope | undefined {
  const kept = store.setting(setting);
  return monitorScopes.find((scope) => scope === kept);
}

export function setMonitorScope(store: Pick<Store, 'setSetting'>, scope: MonitorScope): void {
  store.setSetting(setting, scope);
}

/**
 * Whether lists have the token, and notifications tell of it, unless all are asked for: every token
 * until some are selected (hosted-service facts §11.6). What is of no token is always told.
 */
export function isMonitored(store: Records, tokenId: string | undefined): boolean {
  if (tokenId === undefined || monitorScope(store) !== 'SELECTED') return true;
  return store.monitoredTokens.get(tokenId) !== undefined;
}

/** The ids of the tokens that lists are limited to; undefined where they have all. */
export function selectedTokens(store: Records): string[] | undefined {
  if (monitorScope(store) !== 'SELECTED') return undefined;
  return store.monitoredTokens.list().map(({ id }) => id);
}
