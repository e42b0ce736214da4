import { fault } from '../../errors/errors';
import { requireServed } from '../../errors/requireServed';
import { readPage } from '../../store/page';
import { monitorScope, setMonitorScope } from '../../store/records/monitoredTokens';
import type { MonitoredTokenRow } from '../../store/records/tokenRecord';
import { type SandboxToken, toToken } from '../../store/records/tokenRecord';
import type { SandboxApi, Service } from '../service';
import { requireTokenAddress } from './tokensAsked';

/**
 * The monitored tokens, which lists and notices are limited to. All are, until the first are
 * selected.
 */
export function monitoredTokenHandlers(service: Service) {
  const { store, shown } = service;
  return {
    listMonitoredTokens: async (input, options) => {
      const { blockchain, tokenAddress, symbol } = input;
      requireServed({ blockchain, served: shown.blockchain });
      requireTokenAddress(tokenAddress ?? '');
      if (monitorScope(store) === undefined) return undefined;
      const filters = { address: tokenAddress?.toLowerCase(), symbol };
      const page = { input, filters, paged: options?.paged };
      return answer(service, readPage(store.monitoredTokens, page));
    },

    createMonitoredTokens: async ({ tokenIds }, options) => {
      const added = store.atomically(() => add(service, tokenIds));
      if (added === 0) options?.replayed?.();
      return answer(service, store.monitoredTokens.list());
    },

    updateMonitoredTokens: async ({ tokenIds = [] }) => {
      store.atomically(() => {
        const wanted = new Set(tokenIds);
        for (const { id } of store.monitoredTokens.list()) {
          if (!wanted.has(id)) store.monitoredTokens.remove(id);
        }
        add(service, tokenIds);
      });
      return answer(service, store.monitoredTokens.list());
    },

    deleteMonitoredTokens: async ({ tokenIds }) => {
      store.atomically(() => {
        for (const id of tokenIds) store.monitoredTokens.remove(id);
      });
      return {};
    },

    updateMonitoredTokensScope: async ({ scope }) => {
      setMonitorScope(store, scope);
      return {};
    },
  } satisfies Partial<SandboxApi>;
}

/** Adds what is not there yet, and returns how many that were. The first ones set the scope. */
function add({ store, tokens }: Service, ids: readonly string[]): number {
  const found = [...new Set(ids)].map((id) => {
    const token = tokens.byId(id);
    if (token === undefined) throw fault('noToken', 'wallets', id);
    return token;
  });
  const fresh = found.filter(({ id }) => store.monitoredTokens.get(id) === undefined);
  for (const token of fresh) store.monitoredTokens.insert(toRow(token));
  if (fresh.length > 0 && monitorScope(store) === undefined) setMonitorScope(store, 'SELECTED');
  return fresh.length;
}

function toRow({ id, symbol, address }: SandboxToken): MonitoredTokenRow {
  return { id, symbol, address, createdAtMs: Date.now() };
}

function answer({ store, tokens, shown }: Service, rows: readonly MonitoredTokenRow[]) {
  const known = rows.map(({ id }) => tokens.byId(id)).filter((token) => token !== undefined);
  return {
    scope: monitorScope(store) ?? 'MONITOR_ALL',
    tokens: known.map((token) => toToken(token, shown.blockchain)),
  };
}
