import type { Activities } from '../../activities';
import type { WriteIdentity } from '../../activities/attempt';
import type { Effect } from '../../activities/chain/effect';
import type { Found, Search } from '../../activities/lookUp';
import type { Accepted } from '../../activities/transactions';
import type { Expected } from './compare';

/** How a write is found in the lists of the service. */
export type Sought<T> = {
  /** What it does, in words. */
  doing: string;
  find: (from: Activities, search: Search) => Promise<Found<T>>;
};

/** A write of a workflow: its step, the item within the step, and what it does. */
export type Step<T> = Sought<T> & {
  step: string;
  item: string;
  /** The write that it builds upon, by its path: before that was made, this one cannot have been. */
  after?: string | undefined;
  /** One try. The whole request is in it, frozen before the first one. */
  send: (identity: WriteIdentity) => Promise<T>;
};

/** A write that is a transaction: what it does, and what its record and the chain must say. */
export type Transacting<T extends Accepted = Accepted> = Step<T> & {
  /** What its record must say; anything else stops the order for an operator. */
  expected: Expected;
  /** The address that sends it. */
  sender: string;
  /** What the chain must show. */
  effect: Effect;
};
