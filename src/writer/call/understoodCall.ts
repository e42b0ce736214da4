import type { Classified } from './classify';
import type { Identity } from './identity';
import type { JudgedCall } from './shapes';

/** A signed call as this process has understood it: what it is a write of, and what it does. */
export type UnderstoodCall = { call: JudgedCall; identity: Identity; classified: Classified };
