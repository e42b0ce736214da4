import type { Settings } from '../config/settings';
import type { Collection } from './collection';
import type { Listed } from './page';
import type { Store } from './store';

type Names = 'walletSets' | 'wallets' | 'transactions' | 'contracts' | 'monitors' | 'eventLogs';

/** The records as reads show them: while `readLagMs` is set, as they were that long ago. */
export type Reads = { [Name in Names]: Pick<Store[Name], 'get' | 'list'> };

export function createReads(store: Pick<Store, Names>, settings: Settings): Reads {
  return {
    walletSets: lagging(store.walletSets, settings),
    wallets: lagging(store.wallets, settings),
    transactions: lagging(store.transactions, settings),
    contracts: lagging(store.contracts, settings),
    monitors: lagging(store.monitors, settings),
    eventLogs: lagging(store.eventLogs, settings),
  };
}

function lagging<Row extends { id: string; createdAtMs: number }, Name extends string>(
  collection: Collection<Row, Name>,
  settings: Pick<Settings, 'readLagMs'>,
): Listed<Row, Name> {
  /** Records as they were until they were replaced, in the order in which they were. */
  const replaced: { row: Row; untilMs: number }[] = [];
  const shownMs = () => Date.now() - settings.readLagMs;
  const forget = (beforeMs: number): void => {
    const kept = replaced.findIndex(({ untilMs }) => untilMs > beforeMs);
    replaced.splice(0, kept === -1 ? replaced.length : kept);
  };
  collection.onWrite((_, row) => {
    if (row !== undefined && settings.readLagMs > 0) replaced.push({ row, untilMs: Date.now() });
    if (replaced.length > 0) forget(shownMs());
  });
  /**
   * The records that reads show as they were, each before its first change that is not shown yet.
   */
  const earlierRows = (atMs: number): Map<string, Row> => {
    const hidden = replaced.filter(({ untilMs }) => untilMs > atMs);
    return new Map(hidden.toReversed().map(({ row }) => [row.id, row]));
  };

  return {
    get: (id) => {
      if (settings.readLagMs === 0) return collection.get(id);
      const atMs = shownMs();
      const row = earlierRows(atMs).get(id) ?? collection.get(id);
      return row !== undefined && row.createdAtMs <= atMs ? row : undefined;
    },
    list: (query = {}) => {
      if (settings.readLagMs === 0) return collection.list(query);
      const atMs = shownMs();
      const earlier = earlierRows(atMs);
      const { filters = {}, limit, toMs = atMs } = query;
      const then = { ...query, toMs: Math.min(toMs, atMs) };
      const room = limit === undefined ? {} : { limit: limit + earlier.size };
      const unchanged = collection.list({ ...then, ...room }).filter(({ id }) => !earlier.has(id));
      const changed = [...earlier.values()].filter((row) => collection.matches(row, filters));
      const ids = [...unchanged, ...changed].map(({ id }) => id);
      return collection
        .list({ ...then, filters: { id: ids } })
        .map((row) => earlier.get(row.id) ?? row);
    },
  };
}
