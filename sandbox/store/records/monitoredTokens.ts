import { type MonitorScope, monitorScopes } from '../../../src/custody/objects/token';
import type { Store } from '../store';

type Records = Pick<Store, 'monitoredTokens' | 'setting'>;

const setting = 'tokenMonitorScope';

/** The scope of monitoring. Undefined until it is set, by itself or with the first tokens. */
export function monitorScope(store: Pick<Store, 'setting'>): MonitorScope | undefined {
  const kept = store.setting(setting);
  return monitorScopes.find((scope) => scope === kept);
}

export function setMonitorScope(store: Pick<Store, 'setSetting'>, scope: MonitorScope): void {
  store.setSetting(setting, scope);
}

/**
 * Returns true if lists and notices include the token, unless all are asked for. Every token is
 * included until some are selected. Records without a token are always included.
 */
export function isMonitored(store: Records, tokenId: string | undefined): boolean {
  if (tokenId === undefined || monitorScope(store) !== 'SELECTED') return true;
  return store.monitoredTokens.get(tokenId) !== undefined;
}

/** The ids of the tokens that lists are limited to. Undefined where they have all. */
export function selectedTokens(store: Records): string[] | undefined {
  if (monitorScope(store) !== 'SELECTED') return undefined;
  return store.monitoredTokens.list().map(({ id }) => id);
}
