import type { Tries } from '../../activities/attempt';
import type { OpenedOrder } from '../../activities/guard/openOrder';
import type { Settled } from '../../src/books/settled';
import type { Place } from '../../src/chain/place';
import type { OrderKind } from '../../src/orders/kinds';
import type { Finding } from '../../src/orders/progress/resolve';
import type { Moment, Progress } from '../../src/orders/progress/status';
import type { PayoutBook } from '../payout/records';
import type { Calling } from '../write/calling';
import { loggedAs, type WriteState } from '../write/machine/writeState';
import type { Write } from '../write/step';
import type { Writes, WritesOwner } from '../write/writes';
import type { Stop } from './activities';

/** State that a run hands to the next one when it continues as new. Plain JSON. */
export type Carried = WritesOwner['carried'] & {
  opened?: OpenedOrder<OrderKind>;
  /** Paths of the writes of which nothing is pending any more. */
  over: string[];
  /** The guard's look-up of the first write was used. */
  hasLooked?: boolean;
  /** When the guard was asked, which looks the first write up. */
  openedAtMs?: number;
  /** Results of the steps so far, for the failure of an order that ends half-way. */
  made: Record<string, unknown>;
  /** Moments so far. */
  progress: Moment[];
  /** The trouble that holds the order up, so that the next run shows it too. */
  trouble?: Stop | undefined;
  /** Number of accelerations of each transaction. Each one has a key of its own. */
  accelerations?: Record<string, number>;
  /** The settled transactions for an archive, and their places on the chain by their ids. */
  settled?: Settled[];
  places?: Record<string, Place>;
  /** A payout's parts, and the state of their shards. */
  payout?: PayoutBook;
  /** Nothing more is sent until the order is resumed. */
  paused?: NonNullable<Progress['paused']>;
};

/** A running order: its knowledge, its results, and its view from outside. */
export type LiveOrder<Kind extends OrderKind = OrderKind> = Calling & {
  opened: OpenedOrder<Kind>;
  /** The order as it was given, for continuing as new. */
  order: unknown;
  carried: Carried;
  progress: Progress;
  writes: Writes;
  /** The write that is driven now. */
  write?: Write | undefined;
  /** When its transaction is polled next. Unset: the next turn plans it. */
  nextPollMs?: number | undefined;
  /** A notice has come. It may be early, and tell of a transaction that is not accepted yet. */
  noticed: boolean;
  /** A person's finding on the write is being checked. */
  isWeighing: boolean;
  /** The order was cancelled while its write was disputed, which is given up once it was read. */
  givesUp?: Finding | undefined;
  /** The transaction that the service is being asked to accelerate. */
  accelerating?: string | undefined;
  /** Temporal itself has asked to cancel this run. */
  cancelledByTemporal: boolean;
  /** False until the namespace is known to have our search attributes. */
  searchAttributes: boolean;
  /** True if a receiver is told of its end. False until the guard has said so. */
  answers: boolean;
};

/** True if the service has accepted a write, whatever became of it. */
export function wasAccepted({ accepted }: Pick<WriteState, 'accepted'>): boolean {
  return accepted !== undefined;
}

/** The write log: every write that was ever scheduled. Later runs of the id build on it. */
export function writeLogOf({ carried }: LiveOrder): Record<string, Tries> {
  const now = Object.entries(carried.writes).map(([path, state]): [string, Tries] => [
    `${path}#${state.generation}`,
    loggedAs(state),
  ]);
  return { ...carried.opened?.earlier.writes, ...Object.fromEntries(now) };
}
