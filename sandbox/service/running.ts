import { setMaxListeners } from 'node:events';
import type { Chain } from '../chain/chain';
import type { Secrets } from '../config/secrets';
import type { Settings } from '../config/settings';
import { createSetBlocked, type SetBlocked } from '../control/blocklist';
import { type ForcedState, forceState } from '../control/forceState';
import { createEngine, type Engine } from '../engine/engine';
import { createWalletKeys } from '../engine/keys';
import type { Faults } from '../faults/faults';
import { createHandlers } from '../handlers';
import { createEntitySecret } from '../handlers/entitySecret';
import { createIdempotency } from '../handlers/idempotency';
import { createNotifications } from '../notifications/notifications';
import { createReads } from '../store/readLag';
import { createPlaces } from '../store/records/places';
import type { Shown } from '../store/records/records';
import { createTokens } from '../store/records/tokens';
import type { Records, Store } from '../store/store';

/** Everything that stands on the records, and knows some of them by heart. */
export type Running = {
  store: Store;
  api: ReturnType<typeof createHandlers>;
  entitySecret: ReturnType<typeof createEntitySecret>;
  settings: Settings;
  engine: Engine;
  /** Sets a transaction's record to a stage. */
  force(id: string, forced: ForcedState): void;
  setBlocked: SetBlocked;
  /** Moves what is stored. Nothing does before this. */
  start(): void;
  /** There is new work, or the settings have changed. */
  wake(): void;
  /** Aborted with what calls that are under way are answered, when other records take the place. */
  replaced: AbortSignal;
  /** Ends once what it is doing is done. With a reason, its store is of no use any more. */
  stop(reason?: Error): Promise<void>;
};

export type RunningParts = {
  records: Records;
  chain: Chain;
  secrets: Secrets;
  settings: Settings;
  shown: Shown;
  faults: Faults;
};

/**
 * Puts the service together over the records as they are now. Create here every part that caches
 * records. Then a restore leaves nothing stale.
 */
export function createRunning(parts: RunningParts): Running {
  const { records, chain, secrets, settings, shown, faults } = parts;
  const replaced = new AbortController();
  // Each call that is under way listens.
  setMaxListeners(0, replaced.signal);
  const store = records.until(replaced.signal);
  const entitySecret = createEntitySecret(secrets, store);
  const { accountAddress } = chain;
  const keys = createWalletKeys({ seed: `0x${secrets.seed}`, store, accountAddress });
  const tokens = createTokens({ chain, store, blockchain: shown.blockchain });
  const key = secrets.notificationKey;
  const notifications = createNotifications({ store, settings, shown, faults, key });
  const { courier } = notifications;
  const engine = createEngine({ store, chain, keys, tokens, settings });
  const api = createHandlers({
    store,
    reads: createReads(store, settings),
    chain,
    engine,
    keys,
    places: createPlaces(store),
    tokens,
    idempotent: createIdempotency(store, settings),
    entitySecret,
    ...notifications,
    shown,
    settings,
  });
  return {
    store,
    api,
    entitySecret,
    settings,
    engine,
    force: (id, forced) => forceState({ store, chain }, id, forced),
    setBlocked: createSetBlocked({ chain, engine }),
    start: () => {
      engine.start();
      courier.start();
    },
    wake: () => {
      engine.wake();
      courier.wake();
    },
    replaced: replaced.signal,
    stop: async (reason) => {
      await engine.stop();
      await courier.stop();
      if (reason !== undefined) replaced.abort(reason);
    },
  };
}
