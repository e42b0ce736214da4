import type { CallOptions, EndpointName, Input, Output } from '../../src/custody/endpoints';
import type { Engine } from '../engine/engine';
import type { EngineParts } from '../engine/parts';
import type { Fate } from '../faults/faultRule';
import type { Notifications } from '../notifications/notifications';
import type { Paged } from '../store/page';
import type { Reads } from '../store/readLag';
import type { Places } from '../store/records/places';
import type { Shown } from '../store/records/records';
import type { EntitySecret } from './entitySecret';
import type { Idempotency, Replayed } from './idempotency';

/** Everything that handlers are made of. */
export type Service = EngineParts &
  Notifications & {
    /** The records as reads show them. */
    reads: Reads;
    engine: Engine;
    places: Places;
    idempotent: Idempotency;
    entitySecret: EntitySecret;
    shown: Shown;
  };

export type HandlerOptions = CallOptions & {
  replayed?: Replayed;
  paged?: Paged;
  fate?: Fate | undefined;
};

/** The custody service over a chain. Each file of handlers answers some of its endpoints. */
export type SandboxApi = {
  [Name in EndpointName]: (input: Input<Name>, options?: HandlerOptions) => Promise<Output<Name>>;
};
