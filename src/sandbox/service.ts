import type { CallOptions, EndpointName, Input, Output } from '../custody/endpoints';
import type { Chain } from './chain/chain';
import type { Fate } from './control/faultRule';
import type { Engine } from './engine/engine';
import type { EntitySecret } from './entitySecret';
import type { Idempotency, Replayed } from './idempotency';
import type { Keys } from './keys';
import type { Notifications } from './notifications/notifications';
import type { Settings } from './settings';
import type { Paged } from './store/page';
import type { Places } from './store/places';
import type { Reads } from './store/readLag';
import type { Shown } from './store/records';
import type { Store } from './store/store';
import type { Tokens } from './tokens';

/** What the handlers stand on: the records, the chain, and what moves one towards the other. */
export type Service = Notifications & {
  store: Store;
  /** The records as reads show them. */
  reads: Reads;
  chain: Chain;
  engine: Engine;
  keys: Keys;
  places: Places;
  tokens: Tokens;
  idempotent: Idempotency;
  entitySecret: EntitySecret;
  shown: Shown;
  /** As they are now: the control plane changes them. */
  settings: Settings;
};

export type HandlerOptions = CallOptions & {
  replayed?: Replayed;
  paged?: Paged;
  fate?: Fate | undefined;
};

/** The handlers of some endpoints; all of them together are a CustodyApi. */
export type Handlers<Name extends EndpointName> = {
  [Key in Name]: (input: Input<Key>, options?: HandlerOptions) => Promise<Output<Key>>;
};
