import type { Settings } from '../config/settings';
import type { Shown } from '../store/records/records';
import type { Store } from '../store/store';
import { type Courier, createCourier } from './courier';
import { tellOfEventLogs } from './eventNotice';
import { createOutbox, type Outbox, type OutboxParts } from './outbox';
import { createSigner, type Signer, type SigningKey } from './signer';
import { tellOfTransactions } from './transactionNotice';

/** All that webhooks need. Nothing is sent before the courier is started. */
export type Notifications = { outbox: Outbox; courier: Courier; signer: Signer };

type Parts = Pick<OutboxParts, 'faults'> & {
  store: Store;
  settings: Settings;
  shown: Shown;
  key: SigningKey;
};

/** From now on what happens is put down as notices, where somebody wants them. */
export function createNotifications({ store, settings, shown, faults, key }: Parts): Notifications {
  const signer = createSigner(key);
  const courier = createCourier({ store, settings, signer });
  const outbox = createOutbox({ store, faults, added: courier.wake });
  tellOfTransactions(store, outbox, shown);
  tellOfEventLogs(store, outbox, shown);
  return { outbox, courier, signer };
}
