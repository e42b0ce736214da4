import type { Settings } from '../config/settings';
import type { Shown } from '../store/records/records';
import type { Store } from '../store/store';
import { createCourier } from './courier';
import { tellOfEventLogs } from './eventNotice';
import { createOutbox, type OutboxParts } from './outbox';
import { createSigner, type SigningKey } from './signer';
import { tellOfTransactions } from './transactionNotice';

/** All that webhooks need. Nothing is sent before the courier is started. */
export type Notifications = ReturnType<typeof createNotifications>;

type Parts = Pick<OutboxParts, 'faults'> & {
  store: Store;
  settings: Settings;
  shown: Shown;
  key: SigningKey;
};

/** From now on what happens is put down as notices, where somebody wants them. */
export function createNotifications({ store, settings, shown, faults, key }: Parts) {
  const signer = createSigner(key);
  const courier = createCourier({ store, settings, signer });
  const outbox = createOutbox({ store, faults, added: courier.wake });
  tellOfTransactions(store, outbox, shown);
  tellOfEventLogs(store, outbox, shown);
  return { outbox, courier, signer };
}
